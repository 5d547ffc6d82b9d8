/** Helm templates: Kubernetes resources with template actions, and named templates. */

import { templatesOf } from "../sections/templates.ts";
import type { Format } from "./format.ts";
import { resourcesOf } from "./kubernetes.ts";

export const helmTemplate: Format = {
  id: "helm-template",
  matches: (path, text) =>
    /(?:^|\/)templates\/.+\.(?:ya?ml|tpl|txt)$/.test(path) && text.includes("{{"),
  sections: (lines) => [...resourcesOf(lines, "resource"), ...templatesOf(lines)],
};
