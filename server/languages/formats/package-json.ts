/** Scripts, exports and dependencies of an npm package. */

import { baseNameOf } from "../../common/relative-path.ts";
import { byKeys, type Format } from "./format.ts";

export const packageJson: Format = {
  id: "package-json",
  matches: (path) => baseNameOf(path) === "package.json",
  sections: byKeys([
    ["scripts", "scripts"],
    ["scripts.*", "script", "one-line"],
    ["bin", "bin"],
    ["exports", "exports"],
    ["dependencies", "dependencies"],
    ["devDependencies", "dependencies"],
    ["peerDependencies", "dependencies"],
    ["optionalDependencies", "dependencies"],
    ["workspaces", "workspaces"],
    ["engines", "engines"],
    ["*", "key"],
  ]),
};
