/** Reads the declared encoding of a file from .editorconfig, .gitattributes or its first lines. */

import { compilePathGlobs, isCheapGlob } from "../../common/glob.ts";
import { baseNameOf, folderOf } from "../../common/relative-path.ts";
import { ATTRIBUTES_FILE, parseAttributes } from "../ignore/git-attributes.ts";
import { knownEncoding } from "./decode-as.ts";

/** Reads a workspace file, by path relative to the root; undefined if it does not exist. */
type ReadText = (path: string) => string | undefined;

const EDITORCONFIG = ".editorconfig";

/** Whether a change of this file may change declared encodings. */
export function declaresEncodings(path: string): boolean {
  return [EDITORCONFIG, ATTRIBUTES_FILE].includes(baseNameOf(path));
}

/**
 * The declared encoding, as a label of `TextDecoder`, of a file whose bytes are not valid UTF-8. Undefined if none is
 * declared, or UTF-8.
 */
export function declaredEncoding(
  path: string,
  bytes: Uint8Array,
  readText: ReadText,
): string | undefined {
  const declared = [charsetOf(path, readText), attributeOf(path, readText), cookieOf(bytes)];
  return declared
    .map((name) => (name === undefined ? undefined : labelOf(name)))
    .find((label) => label !== undefined && label !== "utf-8");
}

/** Names of iconv and Windows that `TextDecoder` does not know. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["cp932", "shift_jis"],
  ["cp936", "gbk"],
  ["cp949", "euc-kr"],
  ["cp950", "big5"],
  ["eucjp", "euc-jp"],
  ["euckr", "euc-kr"],
  ["latin-1", "latin1"],
  ["shift-jis", "shift_jis"],
]);

function labelOf(name: string): string | undefined {
  const plain = name.toLowerCase().replace(/-bom$/, "");
  return knownEncoding(ALIASES.get(plain) ?? plain);
}

/** The folders of a path, innermost first, up to the root. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = folderOf(path); ; at = folderOf(at)) {
    folders.push(at);
    if (at === "") return folders;
  }
}

function inFolder(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

function charsetOf(path: string, readText: ReadText): string | undefined {
  for (const folder of foldersOf(path)) {
    const text = readText(inFolder(folder, EDITORCONFIG));
    if (text === undefined) continue;
    const { charset, isRoot } = charsetIn(
      text,
      folder === "" ? path : path.slice(folder.length + 1),
    );
    if (charset !== undefined || isRoot) return charset;
  }
  return undefined;
}

const SECTION = /^\s*\[(.+)\]\s*$/;
const PROPERTY = /^\s*(root|charset)\s*[=:]\s*([\w-]+)\s*$/i;

/** The last section that matches wins. */
function charsetIn(
  text: string,
  path: string,
): { readonly charset: string | undefined; readonly isRoot: boolean } {
  let charset: string | undefined;
  let isRoot = false;
  let section: string | undefined;
  for (const line of text.split("\n")) {
    section = SECTION.exec(line)?.[1] ?? section;
    const [, key, value = ""] = PROPERTY.exec(line) ?? [];
    if (key === undefined) continue;
    if (key.toLowerCase() === "root")
      isRoot ||= section === undefined && value.toLowerCase() === "true";
    else if (section !== undefined && matchesSection(section, path)) charset = value;
  }
  return { charset: charset === "unset" ? undefined : charset, isRoot };
}

function matchesSection(section: string, path: string): boolean {
  return isCheapGlob(section) && compilePathGlobs([section])(path);
}

function attributeOf(path: string, readText: ReadText): string | undefined {
  for (const folder of foldersOf(path)) {
    const text = readText(inFolder(folder, ATTRIBUTES_FILE));
    if (text === undefined) continue;
    const inside = folder === "" ? path : path.slice(folder.length + 1);
    const lines = parseAttributes(text.split("\n"), (attributes) => ENCODING.test(attributes));
    const last = lines.findLast(({ matches }) => matches(inside));
    const name = ENCODING.exec(last?.attributes ?? "")?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** `working-tree-encoding` of git and `encoding` of git gui. */
const ENCODING = /(?:^|\s)(?:working-tree-)?encoding=(\S+)/;

/** Browsers look for a `<meta charset>` in this many bytes. */
const COOKIE_BYTES = 1024;
/** Encoding declarations of Python, Ruby, Emacs, Vim and XML, in the first two lines. */
const COOKIE = /(?:\bcoding|\bfileencoding|\bencoding|\bcharset)\s*[:=]\s*["']?([A-Za-z][\w-]*)/;
const META = /<meta\b[^>]{0,200}\bcharset\s*=\s*["']?([A-Za-z][\w-]*)/i;

function cookieOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, COOKIE_BYTES)).toString("latin1");
  const lines = head.split(/\r\n?|\n/, 2).join("\n");
  return (COOKIE.exec(lines) ?? META.exec(head))?.[1];
}
