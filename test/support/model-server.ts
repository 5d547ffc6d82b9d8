/** A local model server: records requests, and answers properly or fails on demand. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type ModelFault =
  | "none"
  | "unauthorized"
  | "not found"
  | "rate limit"
  | "server error"
  | "cut connection"
  | "silence"
  | "no JSON"
  | "redirect";

export interface Received {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ModelServer {
  readonly url: string;
  readonly received: Received[];
  redirectTo: string;
  /** The answer to a request, as JSON text or a value, or a promise of one. */
  answer: (request: Received) => unknown;
  fail(fault: ModelFault): void;
  /** Resolves when a request's connection was closed before it was answered. */
  readonly abandoned: Promise<void>;
  close(): Promise<void>;
}

const STATUS: Partial<Record<ModelFault, number>> = {
  unauthorized: 401,
  "not found": 404,
  "rate limit": 429,
  "server error": 500,
};

export async function modelServer(answer: (request: Received) => unknown): Promise<ModelServer> {
  let fault: ModelFault = "none";
  let abandon: () => void = () => undefined;
  const abandoned = new Promise<void>((resolve) => {
    abandon = resolve;
  });
  const server = createServer((request, response) => {
    void respond(request, response);
  });
  // Closing the connection counts: on a busy machine a request may be given up before it was read.
  server.on("connection", (socket) => {
    socket.on("close", () => {
      if (fault === "silence") abandon();
    });
  });
  const own: ModelServer = {
    url: "",
    received: [],
    redirectTo: "",
    answer,
    abandoned,
    fail: (what) => {
      fault = what;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString("utf8")) as Received["body"];
    const { authorization } = request.headers;
    const received = { path: request.url ?? "", authorization, body };
    own.received.push(received);
    const status = STATUS[fault];
    if (fault === "silence") return;
    if (fault === "cut connection") request.socket.destroy();
    else if (fault === "no JSON") response.end("<html>");
    else if (fault === "redirect") response.writeHead(307, { location: own.redirectTo }).end();
    else if (status === undefined) response.end(jsonOf(await own.answer(received)));
    else response.writeHead(status, { "retry-after": "1" }).end(`{"message": "${fault}"}`);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(own, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** Text as it is, so that a test can send what JSON.stringify would not. */
function jsonOf(answer: unknown): string {
  return typeof answer === "string" ? answer : JSON.stringify(answer);
}
