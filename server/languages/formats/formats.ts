/** All formats, the most specific first. Terraform has a grammar; its blocks come from grammars/hcl. */

import { dockerCompose } from "./docker-compose.ts";
import type { Format } from "./format.ts";
import { githubActions } from "./github-actions.ts";
import { gitlabCi } from "./gitlab-ci.ts";
import { goMod } from "./go-mod.ts";
import { helmChart, helmTemplate, helmValues } from "./helm.ts";
import { argoCd, kubernetes } from "./kubernetes.ts";
import { cargoToml, pyproject } from "./manifests.ts";
import { packageJson } from "./package-json.ts";

const FORMATS: readonly Format[] = [
  githubActions,
  gitlabCi,
  dockerCompose,
  helmChart,
  helmTemplate,
  helmValues,
  argoCd,
  kubernetes,
  packageJson,
  pyproject,
  cargoToml,
  goMod,
];

/** Languages of the formats; files in other languages are skipped. */
const WRITTEN_IN: ReadonlySet<string> = new Set([
  "yaml",
  "json",
  "toml",
  "gomod",
  "gotemplate",
  "text",
]);

export function formatOf(path: string, languageId: string, text: string): Format | undefined {
  if (!WRITTEN_IN.has(languageId)) return undefined;
  return FORMATS.find((format) => format.matches(path, text));
}
