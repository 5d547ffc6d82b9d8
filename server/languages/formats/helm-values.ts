/** The values of a Helm chart. */

import { byKeys, type Format, fileName } from "./format.ts";

export const helmValues: Format = {
  id: "helm-values",
  matches: (path, text) =>
    /^values(?:[.-][\w.-]+)?\.ya?ml$/.test(fileName(path)) && !/^kind\s*:/m.test(text),
  sections: byKeys([
    ["*", "values"],
    ["*.*", "value"],
  ]),
};
