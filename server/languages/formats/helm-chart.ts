/** Metadata and dependencies of a Helm chart. */

import { baseNameOf } from "../../common/relative-path.ts";
import { byKeys, type Format, hasKey } from "./format.ts";

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
