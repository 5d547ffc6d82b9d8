/** Reads the text of a query from the command line, a file or standard input. */

import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { BadRequest, messageOf } from "../common/errors.ts";
import type { CommandContext } from "./command-context.ts";

/** Only the end of a longer log is used. */
const MAX_BYTES = 10_000_000;

/** Longer queries are cut in messages. */
const MAX_SHOWN_LENGTH = 80;

/** Throws BadRequest if both words and a file are given, or the input is not text. */
export async function readQueryText(
  context: Pick<CommandContext, "cwd" | "stdin">,
  words: readonly string[],
  file: string | undefined,
): Promise<string> {
  if (file !== undefined && words.length > 0) {
    throw new BadRequest("pass the query as words or with --file, not both");
  }
  if (file !== undefined) return decode(await readBytes(resolve(context.cwd, file), file), file);
  if (words.length === 1 && words[0] === "-") {
    return decode(await readStream(context.stdin), "standard input");
  }
  return words.join(" ");
}

async function readBytes(path: string, name: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new BadRequest(`${name} cannot be read: ${messageOf(error)}`);
  }
}

async function readStream(stream: NodeJS.ReadableStream): Promise<Buffer> {
  let kept: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream) {
    const buffer = Buffer.from(part);
    kept.push(buffer);
    bytes += buffer.length;
    if (bytes > 2 * MAX_BYTES) {
      kept = [Buffer.concat(kept).subarray(-MAX_BYTES)];
      bytes = MAX_BYTES;
    }
  }
  return Buffer.concat(kept);
}

/** Detects UTF-16 by its byte order mark. */
function decode(all: Buffer, name: string): string {
  const bytes = all.length > MAX_BYTES ? all.subarray(-MAX_BYTES) : all;
  const mark = all.subarray(0, 2).toString("hex");
  const encoding = mark === "fffe" ? "utf-16le" : mark === "feff" ? "utf-16be" : undefined;
  const text =
    encoding === undefined ? decodeLines(bytes) : new TextDecoder(encoding).decode(bytes);
  if (text.includes("\0")) throw new BadRequest(`${name} is binary, not text`);
  return text;
}

/** Decodes each line as UTF-8, or as Windows-1252 if it is not valid UTF-8: a log has lines of several programs. */
function decodeLines(bytes: Buffer): string {
  const whole = decodeUtf8(bytes);
  if (whole !== undefined) return whole;
  const western = new TextDecoder("windows-1252");
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, start) + 1 || bytes.length;
    const line = bytes.subarray(start, end);
    lines.push(decodeUtf8(line) ?? western.decode(line));
    start = end;
  }
  return lines.join("");
}

const LINE_END = 0x0a;

/** Undefined for invalid UTF-8. */
function decodeUtf8(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : undefined;
}

/** A query on one line, for messages. */
export function shownQuery(query: string): string {
  const [first = ""] = query.trim().split("\n");
  const isWhole = first.length <= MAX_SHOWN_LENGTH && first === query.trim();
  return isWhole ? first : `${first.slice(0, MAX_SHOWN_LENGTH)}...`;
}
