/** Helm charts: their metadata, templates and values. */

import { baseNameOf } from "../../common/relative-path.ts";
import { templatesOf } from "../sections/templates.ts";
import { byKeys, type Format, hasKey } from "./format.ts";
import { resourcesOf } from "./kubernetes.ts";

export const helmChart: Format = {
  id: "helm-chart",
  matches: (path, text) => /^Chart\.ya?ml$/.test(baseNameOf(path)) && hasKey(text, "apiVersion"),
  sections: byKeys([
    ["dependencies", "dependencies"],
    ["dependencies.[]", "dependency"],
    ["maintainers", "maintainers"],
    ["*", "key"],
  ]),
};

/** Kubernetes resources with template actions, and named templates. */
export const helmTemplate: Format = {
  id: "helm-template",
  matches: (path, text) =>
    /(?:^|\/)templates\/.+\.(?:ya?ml|tpl|txt)$/.test(path) && text.includes("{{"),
  sections: (lines) => [...resourcesOf(lines, "resource"), ...templatesOf(lines)],
};

export const helmValues: Format = {
  id: "helm-values",
  matches: (path, text) =>
    /^values(?:[.-][\w.-]+)?\.ya?ml$/.test(baseNameOf(path)) && !/^kind\s*:/m.test(text),
  sections: byKeys([
    ["*", "values"],
    ["*.*", "value"],
  ]),
};
