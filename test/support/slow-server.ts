/** The real server, as on a machine that is slow to start it: what it says is held back at first. Arguments: milliseconds, the server's program, its arguments. */

import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";

const [heldMs = "", main = "", ...args] = process.argv.slice(2);

const server = spawn(process.execPath, [main, ...args], { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(server.stdin);
server.on("exit", (code) => process.exit(code ?? 1));

await delay(Number(heldMs));
server.stdout.pipe(process.stdout);
