/** Finds the frames of stack traces and compiler messages in a text: which file, which line, which function. */

import { baseNameOf } from "../../common/relative-path.ts";

/** A place in a file that a program named. */
export interface Frame {
  /** The path as it was written, with forward slashes, without scheme, host or query. It may be a path of another machine. */
  readonly path: string;
  /** From 0. */
  readonly line: number;
  readonly function?: string;
}

/** A longer line is a dump of data; no format writes a frame beyond this length. */
const MAX_LINE_LENGTH = 1_000;
const MAX_FRAMES = 200;

/** Every format writes a number after one of these. */
const MAY_HAVE_FRAME = /(?:[:({,]|\bline )\s?(?:line,?\s?)?\d/i;

/** A file without a folder must end like a source file: `example.com:443` and `v1.2:3` are none. */
const SOURCE_FILE =
  /\.(?:[cm]?[jt]sx?|py[ixw]?|go|rs|java|kts?|scala|groovy|clj[cs]?|c|cc|cpp|cxx|h|hh|hpp|hxx|mm?|cs|fsx?|vb|rb|rake|php|pl|pm|t|exs?|erl|hrl|lua|nim|zig|hs|mli?|swift|dart|jl|cr|r|sh|bash|sql|ya?ml|toml|json|html?|vue|svelte|erb|heex|cshtml|razor|ipynb|md)$/i;
const ANY_FILE = /[^/.][^/]*\.[A-Za-z][A-Za-z0-9+]{0,9}$/;

/** `file:///a`, `http://host:3000/a`, `webpack:///./a`, `package:app/a.dart`, `ng:///a`. */
const SCHEME = /^(?:\w[\w+-]*:\/\/(?:[^/]*(?=\/))?|package:[^/]+(?=\/)|node:)/;

type Reader = (line: string, previous: string) => Frame[];

/** Tried in this order: the first that finds a frame in a line has read it. */
const READERS: readonly Reader[] = [quoted, jvm, erlang, lineAfterPath, numberInBrackets, colon];

/** Returns the frames of a text, innermost first. Python tracebacks print the innermost frame last and are reversed. */
export function framesIn(text: string): Frame[] {
  const frames: Frame[] = [];
  /** Consecutive frames of one Python traceback. */
  let block: Frame[] = [];
  let previous = "";
  for (const whole of text.split("\n")) {
    const line = whole.slice(0, MAX_LINE_LENGTH).replace(/\r$/, "");
    const found = MAY_HAVE_FRAME.test(line) ? readLine(line, previous) : [];
    const isPython = PYTHON.test(line);
    if (isPython) block = [...found, ...block];
    else if (found.length > 0 || line.trim() === "") {
      frames.push(...block, ...found);
      block = [];
    }
    if (line.trim() !== "") previous = line;
    if (frames.length + block.length >= MAX_FRAMES) break;
  }
  return [...frames, ...block].slice(0, MAX_FRAMES);
}

function readLine(line: string, previous: string): Frame[] {
  for (const read of READERS) {
    const frames = read(line, previous);
    if (frames.length > 0) return frames;
  }
  return [];
}

const PYTHON = /^\s*File "[^"]+", line \d/;
const QUOTED = /\bfile "([^"]+)", lines? (\d+)(?:[^,]*, in (\S+))?/i;

/** Python's `File "a.py", line 3, in load`, OCaml's `file "a.ml", line 3, characters 1-2`. */
function quoted(line: string): Frame[] {
  const [, path = "", number, name] = QUOTED.exec(line) ?? [];
  return frame(path, number, name === "<module>" ? undefined : name);
}

const JVM = /(?:^|\s)at ([\w.$/@<>-]+)\(([\w$.-]+\.\w+):(\d+)\)/;

/** `at java.base/a.b.C$Inner.load(C.java:42)`: the package is the folder. Also Kotlin, Scala, Groovy and Clojure. */
function jvm(line: string): Frame[] {
  const [, qualified = "", file = "", number] = JVM.exec(line) ?? [];
  const names = baseNameOf(qualified).split(".");
  const name = names.pop();
  const folders = names.slice(0, -1).map((each) => `${each}/`);
  return frame(folders.join("") + file, number, name);
}

const ERLANG = /\{file,\s?"([^"]+)"\},\s?\{line,\s?(\d+)\}/g;

/** `{users,load,1,[{file,"src/users.erl"},{line,12}]}`, several in a line. */
function erlang(line: string): Frame[] {
  return [...line.matchAll(ERLANG)].flatMap(([, path = "", number]) => frame(path, number));
}

const LINE_NUMBER = /(?::| on|,|:? at)? ?\bline (\d+)/i;
const DOTNET_FUNCTION = /\bat ([^\s(]+)\(/;

/**
 * C#'s `at A.B.Load(Int32 id) in C:\src\Users.cs:line 42`, PHP's `in users.php on line 12`, Perl's `at Users.pm line 12.`,
 * Swift's `file Users.swift, line 12`, the shell's `users.sh: line 12:`.
 */
function lineAfterPath(line: string): Frame[] {
  const found = LINE_NUMBER.exec(line);
  if (found === null) return [];
  const before = line.slice(0, found.index).replace(/[:,\s]+$/, "");
  const name = DOTNET_FUNCTION.exec(before)?.[1]?.split(".").at(-1);
  // An absolute path may have spaces.
  const whole = / in ((?:\/|[A-Z]:\\).*)$/.exec(before)?.[1];
  return frame(whole ?? after(before, " "), found[1], name);
}

const BRACKETED = /\((\d+)(?:,\s?\d+)?\)/;
const PHP_FUNCTION = /^:? (?:[\w\\]+(?:->|::))?(\w+)\(/;

/** PHP's `#0 /srv/users.php(12): Users->load()`, and `users.ts(10,5): error` of TypeScript, MSVC, Nim and Delphi. */
function numberInBrackets(line: string): Frame[] {
  const found = BRACKETED.exec(line);
  if (found === null) return [];
  const rest = line.slice(found.index + found[0].length);
  return frame(after(line.slice(0, found.index), " "), found[1], PHP_FUNCTION.exec(rest)?.[1]);
}

const PLACE = /^(.+?):(\d+)(?::\d+)?$/;

/** `path:line` and `path:line:column` anywhere in a line: JavaScript, Go, Rust, Ruby, Elixir, gdb, compilers, test runners. */
function colon(line: string, previous: string): Frame[] {
  // The arrow of `a->b` separates nothing in a path, but brackets and quotes do.
  const tokens = line.split(/[\s"'`()[\]{}<>,;|]+/);
  return tokens.flatMap((token) => {
    // Firefox writes `load@http://host/users.js:10:5`.
    const at = token.search(/@(?=\w+:\/\/)/);
    const place = PLACE.exec(token.slice(at + 1).replace(/:(?:in)?$/, ""));
    if (place === null) return [];
    return frame(place[1], place[2], at > 0 ? token.slice(0, at) : functionOf(line, previous));
  });
}

/** The function's name as formats with `path:line` write it in the line of the path. */
const IN_LINE: readonly RegExp[] = [
  // JavaScript: `at async User.load (…`; Dart: `#0      User.load (package:…`.
  /^\s*(?:at (?:async |new )*|#\d+ {2,})([\w$.<>#]+) \(/,
  // Ruby: in `load', in 'User#load', in `block in load'; Lua: in function 'load'; Crystal: in 'load'.
  /\bin (?:function )?[`'<](?:.* )?([^\s'`>]+)['>]/,
  // Elixir: users.ex:12: App.Users.load/1
  /:\d+: ([\w.?!]+)\/\d+/,
  // gdb, lldb and sanitizers: #0 0x1 in load (id=1) at, frame #0: 0x1 app`load(id=1) at
  /#\d+:?\s+(?:0x[0-9a-f]+ )?(?:in |[\w.-]+`)?([A-Za-z_~][\w:~]*)[\s(]/,
  // Zig: 0x1 in load (users)
  /: 0x[0-9a-f]+ in (\w+)/,
];

/** Formats that print the function in the line before its place: Go, Rust, Julia. */
const LINE_BEFORE: readonly { readonly place: RegExp; readonly name: RegExp }[] = [
  { place: /^\s+\S+\.go:\d+/, name: /^(?:created by )?([^\s(]+(?:\(\*\w+\))?[^\s(]*)/ },
  { place: /^\s+at \S+\.rs:\d+/, name: /^\s*\d+:\s+(?:0x[0-9a-f]+ - )?(\S+)/ },
  { place: /^\s+@ /, name: /^\s*\[\d+\] ([\w!]+)/ },
];

function functionOf(line: string, previous: string): string | undefined {
  const name =
    firstMatch(IN_LINE, line) ??
    LINE_BEFORE.flatMap(({ place, name: pattern }) =>
      place.test(line) ? (pattern.exec(previous)?.[1] ?? []) : [],
    )[0];
  const last = name?.split(/::|\.|#/).at(-1);
  return last === undefined || /^<?anonymous>?$|^h[0-9a-f]{16}$/.test(last) ? undefined : last;
}

function firstMatch(patterns: readonly RegExp[], text: string): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The text after the last `mark`; the whole text without one. */
function after(text: string, mark: string): string {
  const at = text.lastIndexOf(mark);
  return at < 0 ? text.trim() : text.slice(at + mark.length);
}

/** One frame, or none where the path names no file or the number no line. */
function frame(written: string | undefined, number: string | undefined, name?: string): Frame[] {
  const path = cleanPath(written ?? "");
  const line = Number(number) - 1;
  const isFile = path.includes("/") ? ANY_FILE.test(path) : SOURCE_FILE.test(path);
  if (!isFile || !Number.isSafeInteger(line) || line < 0) return [];
  return [{ path, line, ...(name === undefined ? {} : { function: name }) }];
}

/** Without what only the machine, the bundler or the web server adds. */
function cleanPath(written: string): string {
  return written
    .trim()
    .replaceAll("\\", "/")
    .replace(SCHEME, "")
    .replace(/[?#].*$/, "")
    .replace(/^@fs\//, "/")
    .replace(/^\/?(?:\.\/)+/, "");
}
