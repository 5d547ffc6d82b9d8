/** The middle of the write path, for one file and without touching the disk: decode -> detect -> parse -> chunk. */

import { withLineFeeds } from "../common/text.ts";
import { encodeFacts } from "../contracts/encoded-facts.ts";
import type { FileFacts } from "../contracts/facts.ts";
import type { Languages } from "../contracts/languages.ts";
import type { CutFile, FileRecord } from "../contracts/model.ts";
import { packFacts } from "../contracts/packed-facts.ts";
import type { PrepareJob } from "../contracts/preparer.ts";
import { chunk } from "./chunking/chunk.ts";
import { decodeUnknown } from "./discovery/decode.ts";
import { generatedTextRule } from "./discovery/generated-text.ts";
import { type CutNotebook, cutNotebook } from "./notebooks/cut-notebook.ts";
import { isNotebook, readNotebook } from "./notebooks/notebook.ts";
import { withoutSecrets } from "./secrets/redact.ts";
import { containsSecret } from "./secrets/secrets.ts";

/** A file as it was read, and how it is to be cut. */
export type PrepareOptions = Pick<
  FileRecord,
  "path" | "sha256" | "size" | "mtimeMs" | "statFingerprint"
> &
  Pick<PrepareJob, "chunkSize" | "chunkOverlap" | "chunkStrategy" | "unparsed"> &
  Partial<Pick<PrepareJob, "maxFileBytes">> & {
    /** Asked where the bytes do not tell in which encoding they are. */
    readonly declaredEncoding?: () => string | undefined;
  };

export type Prepared =
  | { readonly kind: "prepared"; readonly file: CutFile }
  | { readonly kind: "excluded"; readonly rule: string };

/** Names and types are parts of the text, and may hold a secret where the text does. */
function encoded(facts: FileFacts | undefined, hasSecrets: boolean): Pick<CutFile, "facts"> {
  const text = facts === undefined ? "" : encodeFacts(facts);
  return text === "" || (hasSecrets && containsSecret(text)) ? {} : { facts: packFacts(text) };
}

/** Enough to tell a language or a generated file by. */
const HEAD_UNITS = 4096;

/** Chunks with a secret in them are dropped and counted; spans count bytes of the decoded text in UTF-8, without a byte order mark. */
export async function prepareFile(
  bytes: Uint8Array,
  options: PrepareOptions,
  languages: Languages,
): Promise<Prepared> {
  const { path, sha256, size, mtimeMs, statFingerprint, maxFileBytes = Infinity } = options;
  const decoded = await decodeUnknown(bytes, () => options.declaredEncoding?.());
  if (decoded === undefined) return { kind: "excluded", rule: "binary" };
  const { encoding } = decoded;
  const whole = withLineFeeds(decoded.text);
  const notebook = isNotebook(path) ? readNotebook(whole) : undefined;
  if (notebook === undefined && bytes.length > maxFileBytes)
    return { kind: "excluded", rule: tooLargeRule(maxFileBytes) };
  const cut =
    notebook === undefined
      ? await cutText(whole, options, languages)
      : await cutNotebook(notebook, cuttingOf(options), languages);
  if ("rule" in cut) return { kind: "excluded", rule: cut.rule };
  const { text, languageId, chunks: all, parse, facts } = cut;
  if (notebook !== undefined && Buffer.byteLength(text) > maxFileBytes)
    return { kind: "excluded", rule: tooLargeRule(maxFileBytes) };
  const chunks = withoutSecrets(text, all);
  const category = languages.category(path, languageId);
  const record = { path, sha256, size, mtimeMs, languageId, category, parse };
  const secrets = all.length - chunks.length;
  return {
    kind: "prepared",
    file: {
      ...record,
      chunks,
      secrets,
      ...encoded(facts, secrets > 0),
      ...(statFingerprint === undefined ? {} : { statFingerprint }),
      ...(encoding === undefined ? {} : { encoding }),
    },
  };
}

/** A text as a whole, or the rule that leaves it out. */
async function cutText(
  text: string,
  options: PrepareOptions,
  languages: Languages,
): Promise<CutNotebook | { readonly rule: string }> {
  const { path, unparsed } = options;
  const head = text.slice(0, HEAD_UNITS);
  // What is called a notebook and is none is data.
  const languageId = isNotebook(path) ? "json" : languages.detect(path, head);
  const rule = generatedTextRule(text, head, languageId);
  if (rule !== undefined) return { rule };
  return await languages.withSyntax(
    text,
    languageId,
    (syntax) => ({
      text,
      languageId,
      chunks: chunk(text, syntax, { ...cuttingOf(options), languageId }),
      parse: syntax.health,
      facts: syntax.facts,
    }),
    { path, ...(unparsed === undefined ? {} : { unparsed }) },
  );
}

function cuttingOf({ chunkSize, chunkOverlap, chunkStrategy: strategy, unparsed }: PrepareOptions) {
  return { chunkSize, chunkOverlap, strategy, ...(unparsed === undefined ? {} : { unparsed }) };
}

export function tooLargeRule(maxFileBytes: number): string {
  return `larger than maxFileBytes (${maxFileBytes})`;
}
