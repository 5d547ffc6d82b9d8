/** The transport to the client: stdio, a pipe, a socket, or Node's IPC channel. */

import { Console } from "node:console";
import { createConnection } from "node:net";
import type { Writable } from "node:stream";
import {
  IPCMessageReader,
  IPCMessageWriter,
  type MessageReader,
  type MessageWriter,
  StreamMessageReader,
  WriteableStreamMessageWriter,
} from "vscode-languageserver/node";
import { WholeMessages } from "../common/whole-messages.ts";

export interface Transport {
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
}

const LOOPBACK = "127.0.0.1";

/** `--stdio`, `--pipe=NAME`, `--socket=PORT` (both also with a space) or `--node-ipc`. `ended` is called when the client disconnects. */
export function openTransport(args: readonly string[], ended: () => void): Transport {
  const pipe = valueOf(args, "--pipe");
  if (pipe !== undefined) return overSocket({ path: pipe }, ended);
  const port = valueOf(args, "--socket");
  if (port !== undefined) return overSocket({ host: LOOPBACK, port: Number(port) }, ended);
  return args.includes("--node-ipc") ? overIpc(ended) : overStdio(ended);
}

function overStdio(ended: () => void): Transport {
  const { stdin, stdout } = process;
  // stdout is reserved for the protocol; console output of libraries goes to stderr.
  globalThis.console = new Console(process.stderr);
  stdin.once("end", ended);
  stdin.once("close", ended);
  // A client that no longer reads is gone, even if it keeps stdin open.
  stdout.once("error", ended);
  return { reader: new StreamMessageReader(stdin), writer: writerTo(stdout) };
}

function overSocket(
  address: { path: string } | { host: string; port: number },
  ended: () => void,
): Transport {
  const socket = createConnection(address);
  socket.once("error", (error) => process.stderr.write(`cocosearch-lsp: ${error.message}\n`));
  socket.once("end", ended);
  socket.once("close", ended);
  return { reader: new StreamMessageReader(socket), writer: writerTo(socket) };
}

function writerTo(stream: Writable): MessageWriter {
  return new WriteableStreamMessageWriter(new WholeMessages(stream));
}

function overIpc(ended: () => void): Transport {
  process.once("disconnect", ended);
  return { reader: new IPCMessageReader(process), writer: new IPCMessageWriter(process) };
}

/** `--name=value` or `--name value`. */
function valueOf(args: readonly string[], name: string): string | undefined {
  const at = args.findIndex((arg) => arg === name || arg.startsWith(`${name}=`));
  const found = args[at];
  return found === name ? args[at + 1] : found?.slice(name.length + 1);
}
