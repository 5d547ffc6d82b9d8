/** The values of a Helm chart. */

import { baseNameOf } from "../../common/relative-path.ts";
import { byKeys, type Format } from "./format.ts";

export const helmValues: Format = {
  id: "helm-values",
  matches: (path, text) =>
    /^values(?:[.-][\w.-]+)?\.ya?ml$/.test(baseNameOf(path)) && !/^kind\s*:/m.test(text),
  sections: byKeys([
    ["*", "values"],
    ["*.*", "value"],
  ]),
};
