/** GitLab pipelines: every top-level key that is not a keyword is a job. */

import { ITEM, keysOf } from "../sections/keys.ts";
import { toSection } from "../sections/sections.ts";
import type { Format } from "./format.ts";

const KEYWORDS = new Set([
  "default",
  "include",
  "stages",
  "variables",
  "workflow",
  "image",
  "services",
  "cache",
  "before_script",
  "after_script",
  "spec",
]);
const PARTS = new Set(["script", "before_script", "after_script", "rules", "artifacts"]);

export const gitlabCi: Format = {
  id: "gitlab-ci",
  matches: (path) => /(?:^|\/)(?:\.gitlab-ci|\.gitlab\/.+|.+\.gitlab-ci)\.ya?ml$/.test(path),
  sections: (lines) =>
    keysOf(lines).flatMap((key) => {
      const [outer = "", inner, deeper] = key.path;
      if (deeper !== undefined || outer === ITEM) return [];
      if (inner === undefined)
        return [
          toSection(key, KEYWORDS.has(outer) ? outer : outer.startsWith(".") ? "template" : "job"),
        ];
      return PARTS.has(inner) && !KEYWORDS.has(outer) ? [toSection(key, inner)] : [];
    }),
};
