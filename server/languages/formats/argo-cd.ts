/** Argo CD applications, which have the form of Kubernetes resources. */

import { type Format, isYaml } from "./format.ts";
import { resourcesOf } from "./kubernetes.ts";

export const argoCd: Format = {
  id: "argo-cd",
  matches: (path, text) => isYaml(path) && /^apiVersion:\s*["']?argoproj\.io\//m.test(text),
  sections: (lines) => resourcesOf(lines, "application"),
};
