/** Reads the lines of a hit: from an open buffer, else from the file, of which the last ones used are kept. */

import type { BigIntStats } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { isErrorCode } from "../common/errors.ts";
import { readFileInside } from "../common/read-file.ts";
import type { Lines } from "../contracts/model.ts";
import { decode } from "../indexing/discovery/decode.ts";
import { maskSecrets } from "../indexing/secrets/redact.ts";
import { type SecretSpan, secretsIn } from "../indexing/secrets/secrets.ts";

/** Enough for the files that a user looks at in a series of searches. In characters. */
const MAX_KEPT_LENGTH = 8_000_000;
/** Looking for secrets takes 25 ms of a processor per megabyte, and where they are is kept for more files than lines are. */
const MAX_SEARCHED_FILES = 2_000;
/** The maximum of indexing.maxFileBytes. */
const MAX_FILE_BYTES = 100_000_000;

export interface LineReader {
  /** Undefined when the file is gone or may not be read. `buffer` gives unsaved text by absolute path. */
  read(
    root: string,
    path: string,
    lines: Lines,
    buffer: (path: string) => string | undefined,
  ): Promise<readonly string[] | undefined>;
  /** Whole and with its secrets: to compare with, and never a part of an answer. */
  readUnmasked(
    root: string,
    path: string,
    buffer: (path: string) => string | undefined,
  ): Promise<readonly string[] | undefined>;
}

type Form = "masked" | "plain";

interface FoundSecrets {
  readonly version: string;
  readonly spans: readonly SecretSpan[];
}

interface KeptFile {
  readonly version: string;
  readonly lines: readonly string[];
  readonly length: number;
}

export function createLineReader(): LineReader {
  const cache = new LRUCache<string, KeptFile>({
    maxSize: MAX_KEPT_LENGTH,
    sizeCalculation: ({ length }) => Math.max(1, length),
  });

  const secretsOf = createSecretsOf();
  const underWay = new Map<string, Promise<readonly string[] | undefined>>();

  /** The hits of one answer ask at once, and several may be in one file: it is read and masked once. */
  async function fromDisk(
    root: string,
    path: string,
    form: Form,
  ): Promise<readonly string[] | undefined> {
    const key = `${form} ${join(root, path)}`;
    const known = underWay.get(key);
    if (known !== undefined) return await known;
    const reading = readLines(root, path, form, key).finally(() => underWay.delete(key));
    underWay.set(key, reading);
    return await reading;
  }

  async function readLines(
    root: string,
    path: string,
    form: Form,
    key: string,
  ): Promise<readonly string[] | undefined> {
    try {
      const kept = cache.get(key);
      const isKept = kept !== undefined && (await versionAt(join(root, path))) === kept.version;
      if (isKept) return kept.lines;
      // Since it was indexed, it may have become a link out of the workspace, a pipe, or without end.
      const read = await readFileInside(root, path, async (file) => {
        if (file.found.size > MAX_FILE_BYTES) return { lines: undefined };
        const text = decode(await file.handle.readFile()) ?? "";
        const version = versionOf(file.found);
        const isPlain = form === "plain";
        const shown = isPlain ? text : maskSecrets(text, secretsOf(key, version, text));
        const lines = plainLines(shown);
        cache.set(key, { version, lines, length: text.length });
        return { lines };
      });
      return "absent" in read ? undefined : read.lines;
    } catch (error) {
      if (["EACCES", "EPERM"].some((code) => isErrorCode(error, code))) return undefined;
      throw error;
    }
  }

  return {
    read: async (root, path, { start, end }, buffer) => {
      const unsaved = buffer(join(root, path));
      const lines =
        unsaved === undefined ? await fromDisk(root, path, "masked") : maskedLines(unsaved);
      const isWhole = start <= 0 && end >= (lines?.length ?? 0) - 1;
      return isWhole ? lines : lines?.slice(start, end + 1);
    },
    readUnmasked: async (root, path, buffer) => {
      const unsaved = buffer(join(root, path));
      return unsaved === undefined ? await fromDisk(root, path, "plain") : plainLines(unsaved);
    },
  };
}

/** Where the secrets of a version of a file are. */
function createSecretsOf() {
  const found = new LRUCache<string, FoundSecrets>({ max: MAX_SEARCHED_FILES });
  return (path: string, version: string, text: string): readonly SecretSpan[] => {
    const known = found.get(path);
    if (known?.version === version) return known.spans;
    const spans = secretsIn(text);
    found.set(path, { version, spans });
    return spans;
  };
}

/** Of what is there now; where it is the version that was read inside of the workspace, nothing has to be read again. */
async function versionAt(path: string): Promise<string | undefined> {
  try {
    return versionOf(await stat(path, { bigint: true }));
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** Another one after the file was written, replaced, or made unreadable. */
function versionOf({ dev, ino, mtimeNs, ctimeNs, size }: BigIntStats): string {
  return [dev, ino, mtimeNs, ctimeNs, size].join(":");
}

/** The lines around a hit may contain secrets that are not in the index, and the client may pass the answer on. */
function maskedLines(text: string): string[] {
  return plainLines(maskSecrets(text));
}

function plainLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}
