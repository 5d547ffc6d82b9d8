/** GitHub workflows and composite actions. */

import { baseNameOf } from "../../common/relative-path.ts";
import { byKeys, type Format, hasKey } from "./format.ts";

export const githubActions: Format = {
  id: "github-actions",
  matches: (path, text) =>
    /(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$/.test(path) ||
    (/^action\.ya?ml$/.test(baseNameOf(path)) && hasKey(text, "runs")),
  sections: byKeys([
    ["on", "trigger"],
    ["env", "env"],
    ["permissions", "permissions"],
    ["defaults", "defaults"],
    ["concurrency", "concurrency"],
    ["jobs", "jobs"],
    ["jobs.*", "job"],
    ["jobs.*.strategy", "strategy"],
    ["jobs.*.services", "services"],
    ["jobs.*.services.*", "service"],
    ["jobs.*.steps", "steps"],
    ["jobs.*.steps.[]", "step", "one-line"],
    ["inputs", "inputs"],
    ["inputs.*", "input"],
    ["outputs", "outputs"],
    ["runs", "runs"],
    ["runs.steps", "steps"],
    ["runs.steps.[]", "step", "one-line"],
  ]),
};
