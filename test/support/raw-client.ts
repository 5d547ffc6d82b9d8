/** Sends raw bytes to the real server, for messages that no library would send; checks that it answers with whole messages only. */

import { type ChildProcess, spawn } from "node:child_process";
import { MAIN } from "./engine.ts";

/** Long, because machines may be busy; the tests look for answers that never come. */
const TIMEOUT_MS = 120_000;

export interface Answer {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface RawClient {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  /** Everything that came, in order. */
  readonly answers: Answer[];
  write(bytes: Buffer): void;
  /** Sends a request as it should be; resolves to its answer. */
  ask(method: string, params?: unknown): Promise<Answer>;
  tell(method: string, params?: unknown): void;
}

/** A body under a right header. */
export function framed(body: string | Buffer): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(`Content-Length: ${bytes.length}\r\n\r\n`), bytes]);
}

export function startRaw(env: NodeJS.ProcessEnv): RawClient {
  const child = spawn(process.execPath, [MAIN, "--stdio"], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const answers: Answer[] = [];
  const waiting = new Map<number | string, (answer: Answer) => void>();
  let asked = 0;
  const write = (bytes: Buffer) => void child.stdin?.write(bytes);
  const send = (message: object) => write(framed(JSON.stringify({ jsonrpc: "2.0", ...message })));
  onMessages(child, (answer) => {
    answers.push(answer);
    // Its own requests, such as for a progress, are answered as by a client that cannot do much.
    if (answer.method !== undefined && answer.id !== undefined)
      send({ id: answer.id, result: null });
    if (answer.method === undefined) waiting.get(answer.id ?? "")?.(answer);
  });
  return {
    child,
    exited,
    answers,
    write,
    ask: (method, params) =>
      new Promise((resolve, reject) => {
        const id = `ask-${++asked}`;
        const late = setTimeout(() => reject(new Error(`no answer to ${method}`)), TIMEOUT_MS);
        void exited.then((code) => reject(new Error(`the server ended with ${code}`)));
        waiting.set(id, (answer) => {
          clearTimeout(late);
          waiting.delete(id);
          resolve(answer);
        });
        send({ id, method, ...(params === undefined ? {} : { params }) });
      }),
    tell: (method, params) => send({ method, ...(params === undefined ? {} : { params }) }),
  };
}

function onMessages(child: ChildProcess, take: (answer: Answer) => void): void {
  let bytes = Buffer.alloc(0);
  child.stdout?.on("data", (part: Buffer) => {
    bytes = Buffer.concat([bytes, part]);
    for (;;) {
      const end = bytes.indexOf("\r\n\r\n");
      if (end < 0) return;
      const header = bytes.toString("latin1", 0, end);
      const [, size] = /^Content-Length: (\d+)$/.exec(header) ?? [];
      if (size === undefined) throw new Error(`the server wrote an invalid message: ${header}`);
      const stop = end + 4 + Number(size);
      if (bytes.length < stop) return;
      take(JSON.parse(bytes.toString("utf8", end + 4, stop)) as Answer);
      bytes = bytes.subarray(stop);
    }
  });
}
