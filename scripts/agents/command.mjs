/** One command of an agent: passes its argument to the harness, which runs the tool and notes the call. */

import { readFileSync } from "node:fs";

const [url, tool, argument] = process.argv.slice(2);
const body = argument ?? readFileSync(0, "utf8");
const response = await fetch(`${url}/${tool}`, { method: "POST", body });
const text = await response.text();
process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
process.exitCode = response.ok ? 0 : 1;
