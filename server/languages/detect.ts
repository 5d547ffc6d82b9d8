/** Detects the language of a file by name, extension and `#!` line; for headers also by content. */

import { baseNameOf } from "../common/relative-path.ts";
import { LANGUAGES, TEXT } from "./table.ts";

const BY_FILE_NAME = indexBy("fileNames");
const BY_EXTENSION = indexBy("extensions");
const BY_INTERPRETER = indexBy("interpreters");

/** C++ syntax that is not valid C. */
const CPP_IN_HEADER =
  /^\s*(?:class\s+\w|namespace\b|template\s*<|using\s+\w|(?:public|private|protected)\s*:|constexpr\b|inline namespace\b)|\bstd::|#\s*include\s*<(?:string|vector|map|memory|utility|cstdint|cstddef|iostream|functional|type_traits|algorithm)>/m;

/** Objective-C syntax. */
const OBJC_IN_HEADER = /^\s*(?:@interface\b|@protocol\b|@class\b|#\s*import\b)/m;

/** `head` is the beginning of the text, a few kB. */
export function detect(path: string, head: string): string {
  const name = baseNameOf(path).toLowerCase();
  const byName = byFileName(name);
  if (byName !== undefined) return byName;
  const extension = name.slice(name.lastIndexOf(".") + 1);
  const byExtension = name.includes(".") ? BY_EXTENSION.get(extension) : undefined;
  if (byExtension !== undefined) return refine(extension, byExtension, head);
  return byInterpreter(head) ?? TEXT;
}

function byFileName(name: string): string | undefined {
  const stem = name.indexOf(".", 1);
  return (
    BY_FILE_NAME.get(name) ?? (stem > 0 ? BY_FILE_NAME.get(`${name.slice(0, stem)}.*`) : undefined)
  );
}

/** Extensions that several languages share. */
function refine(extension: string, languageId: string, head: string): string {
  switch (extension) {
    case "h":
      if (OBJC_IN_HEADER.test(head)) return "objc";
      return CPP_IN_HEADER.test(head) ? "cpp" : languageId;
    case "m":
      return /^\s*(?:function\b|%)/m.test(head) && !OBJC_IN_HEADER.test(head) ? TEXT : languageId;
    case "pp":
      return /^\s*(?:unit|program|uses|interface)\b/im.test(head) ? languageId : TEXT;
    case "t":
      return /^\s*(?:use|package|my|sub)\s/m.test(head) ? languageId : TEXT;
    case "v":
      // Coq and V.
      return /^\s*(?:Require|From|Theorem|Lemma|Definition|Inductive|Fixpoint|(?:pub\s+)?fn)\s/m.test(
        head,
      )
        ? TEXT
        : languageId;
    case "ts":
      // Qt translations have the same extension.
      return head.startsWith("<?xml") ? "xml" : languageId;
    default:
      return languageId;
  }
}

function byInterpreter(head: string): string | undefined {
  if (!head.startsWith("#!")) return undefined;
  const words = head.slice(2, 200).split("\n", 1)[0]?.trim().split(/\s+/) ?? [];
  const program = words.find((word, i) => !isPrelude(word, i));
  const name = program?.slice(program.lastIndexOf("/") + 1).replace(/[\d.]+$/, "");
  return name === undefined ? undefined : BY_INTERPRETER.get(name.toLowerCase());
}

/** `env` with options and assignments before the interpreter. */
function isPrelude(word: string, index: number): boolean {
  return (index === 0 && /(^|\/)env$/.test(word)) || word.startsWith("-") || word.includes("=");
}

function indexBy(key: "fileNames" | "extensions" | "interpreters"): ReadonlyMap<string, string> {
  return new Map(
    [...LANGUAGES.values()].flatMap((language) =>
      language[key].map((value): [string, string] => [value, language.id]),
    ),
  );
}
