/** The parts of a C or C++ declaration, and its keywords. */

import type { Token } from "./tokens.ts";

/** A bracket group or brace group is one part. */
export interface Part extends Token {
  readonly kind: "word" | "group" | "index" | "block" | "sign";
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** Qualifiers, before or after a type. */
export const SPECIFIERS = words(
  "static extern inline register typedef const volatile restrict constexpr consteval constinit thread_local mutable virtual explicit friend export template typename final override _Thread_local _Noreturn _Atomic __inline __inline__ __forceinline __extension__ __thread __const __const__ __volatile__ __volatile __restrict __restrict__ __cdecl __stdcall __fastcall __thiscall __vectorcall __clrcall __unaligned",
);
/** Keywords that begin a declaration; no type precedes them. */
export const FIRST_WORDS = words(
  "static extern inline typedef constexpr virtual explicit friend template struct class union enum",
);
/** Built-in types of one or more words. */
export const PRIMITIVES = words(
  "void char short int long float double signed unsigned _Bool bool _Complex __int128 __int64 __signed__ __signed auto wchar_t char8_t char16_t char32_t",
);
export const TYPE_WORDS = words("struct class union enum");

/** Keywords with parentheses that are not calls. */
const WITH_ARGUMENTS =
  /^(?:_*(?:attribute|declspec|typeof|asm)_*|alignas|_Alignas|decltype|sizeof|requires|explicit|noexcept|throw|if|for|while|switch|return)$/;

/** Macro names: capitals or leading underscores. */
const CAPITALS = /^_*[A-Z][A-Z0-9_]{2,}$/;
const FIRST_CAPITALS = /^_*[A-Z][A-Z0-9]{2,}(?:_|$)|^_*[A-Z][A-Z0-9]*_[A-Z][A-Z0-9_]*/;
const UNDERSCORES = /^__\w+$/;
/** `__u32`, `__kernel_size_t` */
const TYPE_END = /(?:\d|_t)$/;

export function isCallable(part: Part | undefined): boolean {
  return part?.kind === "word" && !WITH_ARGUMENTS.test(part.text);
}

/** `DEFINE_string`: a suffix in lower case may name the defined type. */
export function beginsWithCapitals(word: string): boolean {
  return FIRST_CAPITALS.test(word);
}

/** A score: the higher, the less likely is a name or type. */
export function macroRank(word: string): number {
  if (UNDERSCORES.test(word)) return TYPE_END.test(word) ? 1 : 3;
  if (!CAPITALS.test(word)) return 0;
  return word.includes("_") ? 2 : 1;
}

/** The index of the `=` before an initializer, or -1. */
export function assignmentOf(parts: readonly Part[]): number {
  return parts.findIndex(
    ({ text }, i) =>
      text === "=" && !parts.slice(Math.max(0, i - 3), i).some((one) => one.text === "operator"),
  );
}
