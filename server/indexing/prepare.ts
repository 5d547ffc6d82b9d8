/** Prepares one file in memory: decode -> detect language -> parse -> chunk -> redact secrets. */

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

/** Metadata of a file, and the settings of chunking. */
type PrepareOptions = Pick<FileRecord, "path" | "sha256" | "size" | "mtimeMs" | "statFingerprint"> &
  Pick<PrepareJob, "chunkSize" | "chunkOverlap" | "chunkStrategy" | "unparsed"> &
  Partial<Pick<PrepareJob, "maxFileBytes">> & {
    /** Called if the bytes do not determine the encoding. */
    readonly declaredEncoding?: () => string | undefined;
  };

export type Prepared =
  | { readonly kind: "prepared"; readonly file: CutFile }
  | { readonly kind: "excluded"; readonly rule: string };

/** Facts contain parts of the text, so they are dropped if they contain a secret. */
function encoded(facts: FileFacts | undefined, hasSecrets: boolean): Pick<CutFile, "facts"> {
  const text = facts === undefined ? "" : encodeFacts(facts);
  return text === "" || (hasSecrets && containsSecret(text)) ? {} : { facts: packFacts(text) };
}

/** In UTF-16 units: enough to detect the language and generated files. */
const HEAD_UNITS = 4096;

/**
 * Drops and counts chunks that contain a secret. Spans count UTF-8 bytes of the decoded text without its byte order mark.
 */
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

/** Chunks a text that is not a notebook, or returns the rule that excludes it. */
async function cutText(
  text: string,
  options: PrepareOptions,
  languages: Languages,
): Promise<CutNotebook | { readonly rule: string }> {
  const { path, unparsed } = options;
  const head = text.slice(0, HEAD_UNITS);
  // A file named like a notebook that is not one is indexed as JSON.
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
