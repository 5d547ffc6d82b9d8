/** What a Helm chart says of itself. */

import { byKeys, type Format, fileName, hasKey } from "./format.ts";

export const helmChart: Format = {
  id: "helm-chart",
  matches: (path, text) => /^Chart\.ya?ml$/.test(fileName(path)) && hasKey(text, "apiVersion"),
  sections: byKeys([
    ["dependencies", "dependencies"],
    ["dependencies.[]", "dependency"],
    ["maintainers", "maintainers"],
    ["*", "key"],
  ]),
};
