/** Reads the lines around a hit: from an open buffer, else from the file, through an LRU cache. */

import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { isErrorCode } from "../../common/errors.ts";
import { getOrCreate } from "../../common/get-or-create.ts";
import { splitLines, withLineFeeds } from "../../common/text.ts";
import type { Lines } from "../../contracts/model.ts";
import { decode, encodingFor } from "../../indexing/discovery/decode.ts";
import { isNotebook, notebookLines } from "../../indexing/notebooks/notebook.ts";
import { maskSecrets } from "../../indexing/secrets/redact.ts";
import { type SecretSpan, secretsIn } from "../../indexing/secrets/secrets.ts";
import { FileReader } from "./file-contents.ts";
import {
  allLines,
  type LinesOf,
  type LineTraits,
  lineTraitsOf,
  maskedLines,
} from "./file-lines.ts";

/** Bytes of cached files: enough for the files of a series of searches. */
const MAX_KEPT_LENGTH = 8_000_000;
/**
 * Finding out the encoding and the secrets of a file takes longer than reading it, so they are cached for more files than
 * lines are.
 */
const MAX_KNOWN_FILES = 2_000;

export interface LineReader {
  /** Undefined if the file is gone or cannot be read. `buffer` returns unsaved text by absolute path. */
  read(
    root: string,
    path: string,
    lines: Lines,
    buffer: (path: string) => string | undefined,
  ): Promise<readonly string[] | undefined>;
  /** The whole text with its secrets, for comparisons; never part of an answer. */
  readUnmasked(
    root: string,
    path: string,
    buffer: (path: string) => string | undefined,
  ): Promise<readonly string[] | undefined>;
}

type Form = "masked" | "plain";

interface FileInRoot {
  readonly root: string;
  readonly path: string;
  /** The absolute path: joined once, as each join takes a microsecond. */
  readonly file: string;
}

const WHOLE: Lines = { start: 0, end: Infinity };

/** The encoding and the secrets of one version of a file, as far as they are known. */
interface FileTraits {
  readonly version: string;
  readonly known: string | undefined;
  readonly encoding: string | undefined;
  lines?: LineTraits;
  /** The secrets of the whole text. */
  secrets?: readonly SecretSpan[];
}

interface ShownLines {
  readonly linesOf: LinesOf;
  readonly length: number;
}

interface KeptFile extends ShownLines {
  readonly version: string;
  readonly known: string | undefined;
}

/** The encoding of an indexed file, by absolute path; undefined if unknown. */
type EncodingOf = (file: string) => string | undefined;

export function createLineReader(encodingOf: EncodingOf = () => undefined): LineReader {
  const cache = new LRUCache<string, KeptFile>({
    maxSize: MAX_KEPT_LENGTH,
    sizeCalculation: ({ length }) => Math.max(1, length),
  });

  const files = new FileReader();
  const traitsOf = createTraitsOf();
  const underWay = new Map<string, Promise<LinesOf | undefined>>();

  /** Shares one read among hits of one answer that are in the same file. */
  async function fromDisk(at: FileInRoot, form: Form): Promise<LinesOf | undefined> {
    const key = `${form} ${at.file}`;
    return await getOrCreate(underWay, key, () =>
      readKept(at, form, key).finally(() => underWay.delete(key)),
    );
  }

  async function readKept(
    { root, path, file }: FileInRoot,
    form: Form,
    key: string,
  ): Promise<LinesOf | undefined> {
    try {
      const kept = cache.get(key);
      const known = encodingOf(file);
      const isSame = kept !== undefined && kept.known === known;
      const isKept = isSame && (await files.versionOf(root, file)) === kept.version;
      if (isKept) return kept.linesOf;
      // Since the file was indexed, it may have become a link out of the workspace, a pipe, or an endless device.
      const read = await files.read(root, path);
      if (read === undefined) return undefined;
      const { bytes, version } = read;
      const traits = await traitsOf(key, bytes, version, known);
      const shown =
        form === "plain" ? plainLines(bytes, traits.encoding) : shownLines(path, bytes, traits);
      cache.set(key, { version, known, ...shown });
      return shown.linesOf;
    } catch (error) {
      if (["EACCES", "EPERM"].some((code) => isErrorCode(error, code))) return undefined;
      throw error;
    }
  }

  return {
    read: async (root, path, lines, buffer) => {
      const file = join(root, path);
      const unsaved = buffer(file);
      const linesOf =
        unsaved === undefined
          ? await fromDisk({ root, path, file }, "masked")
          : allLines(unsavedLines(path, unsaved));
      return linesOf?.(lines);
    },
    readUnmasked: async (root, path, buffer) => {
      const file = join(root, path);
      const unsaved = buffer(file);
      if (unsaved !== undefined) return splitLines(unsaved);
      return (await fromDisk({ root, path, file }, "plain"))?.(WHOLE);
    },
  };
}

/** The code of a notebook, not its JSON. */
function unsavedLines(path: string, text: string): readonly string[] {
  const cells = isNotebook(path) ? notebookLines(withLineFeeds(text)) : undefined;
  return cells === undefined ? splitLines(maskSecrets(text)) : maskedCells(cells, secretsIn);
}

function plainLines(bytes: Buffer, encoding: string | undefined): ShownLines {
  return { linesOf: allLines(splitLines(decode(bytes, encoding) ?? "")), length: bytes.length };
}

function shownLines(path: string, bytes: Buffer, traits: FileTraits): ShownLines {
  const { encoding } = traits;
  const secretsOf = (whole: string) => (traits.secrets ??= secretsIn(whole));
  const text = isNotebook(path) ? decode(bytes, encoding) : undefined;
  const cells = text === undefined ? undefined : notebookLines(withLineFeeds(text));
  if (cells === undefined) {
    traits.lines ??= lineTraitsOf(bytes, encoding);
    const linesOf = maskedLines(bytes, encoding, traits.lines, secretsOf);
    return { linesOf, length: bytes.length };
  }
  const length = cells.reduce((sum, line) => sum + line.length + 1, 0);
  return { linesOf: allLines(maskedCells(cells, secretsOf)), length };
}

function maskedCells(
  lines: readonly string[],
  secretsOf: (text: string) => readonly SecretSpan[],
): readonly string[] {
  const text = lines.join("\n");
  return maskSecrets(text, secretsOf(text)).split("\n");
}

/** Caches the traits of a file while its version and its known encoding stay the same. */
function createTraitsOf() {
  const found = new LRUCache<string, FileTraits>({ max: MAX_KNOWN_FILES });
  return async (
    key: string,
    bytes: Buffer,
    version: string,
    known: string | undefined,
  ): Promise<FileTraits> => {
    const kept = found.get(key);
    if (kept?.version === version && kept.known === known) return kept;
    const encoding = known ?? (await encodingFor(bytes));
    const traits: FileTraits = { version, known, encoding };
    found.set(key, traits);
    return traits;
  };
}
