/** TOML manifests: the tables of pyproject.toml and Cargo.toml by purpose. */

import { baseNameOf } from "../../common/relative-path.ts";
import type { Section } from "../sections/section.ts";
import { cutOf } from "../sections/sections.ts";
import { type Format } from "./format.ts";

type TypeRule = readonly [table: RegExp, type: string];

const PYPROJECT: readonly TypeRule[] = [
  [/^build-system$/, "build-system"],
  [/^project\.(?:gui-)?scripts$/, "scripts"],
  [/dependencies|dependency-groups/, "dependencies"],
  [/^project/, "project"],
  [/^tool\./, "tool"],
];

const CARGO: readonly TypeRule[] = [
  [/dependencies/, "dependencies"],
  [/^(?:package|workspace)/, "package"],
  [/^(?:bin|lib|example|test|bench)$/, "target"],
  [/^features$/, "features"],
  [/^profile\./, "profile"],
];

export const pyproject: Format = manifest("pyproject-toml", "pyproject.toml", PYPROJECT);
export const cargoToml: Format = manifest("cargo-toml", "Cargo.toml", CARGO);

function manifest(id: string, name: string, rules: readonly TypeRule[]): Format {
  const typed = (section: Section): Section => ({
    ...section,
    type: rules.find(([table]) => table.test(section.name))?.[1] ?? section.type,
  });
  return {
    id,
    matches: (path) => baseNameOf(path) === name,
    sections: (lines) => cutOf("toml")?.(lines).map(typed) ?? [],
  };
}
