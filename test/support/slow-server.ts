/** The real server with delayed output, as on a machine that starts it slowly. Arguments: milliseconds, the server's program, its arguments. */

import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";

const [heldMs = "", main = "", ...args] = process.argv.slice(2);

const server = spawn(process.execPath, [main, ...args], { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(server.stdin);
server.on("exit", (code) => process.exit(code ?? 1));

await delay(Number(heldMs));
server.stdout.pipe(process.stdout);
