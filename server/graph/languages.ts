/** The rules that resolve imports and names, by language. */

import { getOrCreate } from "../common/get-or-create.ts";
import { CRules } from "./languages/c.ts";
import { EcmascriptRules } from "./languages/ecmascript.ts";
import { ElixirRules } from "./languages/elixir.ts";
import { GoRules } from "./languages/go.ts";
import { LuaRules } from "./languages/lua.ts";
import { PackageRules } from "./languages/packages.ts";
import { PathRules } from "./languages/path-rules.ts";
import { PythonRules } from "./languages/python.ts";
import { RubyRules } from "./languages/ruby.ts";
import { RustRules } from "./languages/rust.ts";
import { SwiftRules } from "./languages/swift.ts";
import type { Project } from "./project/project.ts";
import { type CreateRules, type Rules, UNRESOLVED } from "./resolve/rules.ts";
import { NOTHING } from "./resolve/values.ts";

const jvm: CreateRules = (project) => new PackageRules(project, "jvm");
const c: CreateRules = (project) => new CRules(project);
const paths: CreateRules = (project) => new PathRules(project);
const ecmascript: CreateRules = (project) => new EcmascriptRules(project);

/** Languages with the same function share one object. */
const RULES: Readonly<Record<string, CreateRules>> = {
  javascript: ecmascript,
  typescript: ecmascript,
  tsx: ecmascript,
  vue: ecmascript,
  svelte: ecmascript,
  python: (project) => new PythonRules(project),
  go: (project) => new GoRules(project),
  java: jvm,
  kotlin: jvm,
  scala: jvm,
  rust: (project) => new RustRules(project),
  csharp: (project) => new PackageRules(project, "csharp"),
  php: (project) => new PackageRules(project, "php"),
  c,
  cpp: c,
  ruby: (project) => new RubyRules(project),
  swift: () => new SwiftRules(),
  links: paths,
  lua: (project) => new LuaRules(project),
  zig: paths,
  dart: paths,
  haskell: paths,
  scss: paths,
  less: paths,
  protobuf: paths,
  make: paths,
  cmake: paths,
  nix: paths,
  elixir: (project) => new ElixirRules(project),
  astro: ecmascript,
};

const NO_RULES: Rules = {
  resolve: () => UNRESOLVED,
  submodule: () => NOTHING,
};

/** The rules of all languages for one state of a project. A change of a file requires a new object. */
export class SharedRulesOf {
  readonly #project: Project;
  readonly #made = new Map<CreateRules, () => Rules>();

  constructor(project: Project) {
    this.#project = project;
  }

  /** For one result: everything that the rules read in their constructor is recorded as read for it. */
  forOne(): (file: number) => Rules {
    const seen = new Map<CreateRules, Rules>();
    return (file) => {
      const create = RULES[this.#project.language(file)];
      if (create === undefined) return NO_RULES;
      return getOrCreate(seen, create, () => this.#shared(create));
    };
  }

  #shared(create: CreateRules): Rules {
    const { reads } = this.#project;
    return getOrCreate(this.#made, create, () => reads.shared(() => create(this.#project)))();
  }
}
