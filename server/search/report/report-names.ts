/** Collects the names of code that a bug report mentions, with how much the mentions say about the place. */

import { STOP_WORDS } from "../query/stop-words.ts";
import type { PartKind, ReportPart } from "./report-parts.ts";

/** A name as code may define it. */
export interface MentionedName {
  /** The last segment: `apply_load` of `beam.apply_load`. */
  readonly name: string;
  /** The segment before it, which may be the class, a module or a variable. */
  readonly scope?: string;
  readonly weight: number;
  /** Whether it is a plain word of the title, which may not be a name. */
  readonly isWord: boolean;
}

/** A module by its dotted name: `sympy.parsing.mathematica`, as a path without extension. */
export interface MentionedModule {
  readonly path: string;
  readonly weight: number;
}

export interface NameMentions {
  readonly names: readonly MentionedName[];
  readonly modules: readonly MentionedModule[];
}

/** The weight of a mention in each part: a title is about the place, while a snippet also uses code that works. */
export const NAME_WEIGHTS: Readonly<Record<PartKind, number>> = {
  title: 1,
  prose: 0.6,
  message: 0.6,
  diff: 0.6,
  code: 0.35,
  traceback: 0.2,
  log: 0.2,
  environment: 0,
  template: 0,
};

/** How sure a mention is of being a name: written as code, called, after a dot, or a word that may be one. */
const FORM_WEIGHTS = {
  code: 1,
  quoted: 1,
  called: 0.9,
  member: 0.7,
  type: 0.7,
  word: 0.3,
} as const;
type Form = keyof typeof FORM_WEIGHTS;

/** Names that occur in snippets only, when there is one of them, and when there are many. */
const MAX_CODE_FACTOR = 2.2;
const MIN_CODE_FACTOR = 0.7;

/** Names in a long paste; the ones after these say nothing new. */
const MAX_NAMES = 100;
const MIN_LENGTH = 2;
const MAX_LENGTH = 80;

const NAME =
  /(?<![\p{L}\p{N}_$])[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|->|#|\\)[\p{L}_$][\p{L}\p{N}_$]*)*[!?]?(?<after>\()?/gu;
const SEPARATOR = /\.|::|->|#|\\/;
const CODE_SHAPE = /[\p{Ll}\p{N}]\p{Lu}|[\p{L}\p{N}][_$]+[\p{L}\p{N}]|^[_$]+\p{L}|\p{Lu}{2}\p{Ll}/u;
const TYPE_SHAPE = /^\p{Lu}[\p{L}\p{N}]*\p{Ll}/u;
const QUOTED = /`([^`\n]{2,120})`/g;
/** Links name pages, not code; those to a file of a repository are read as places. */
const URL = /\b\w+:\/\/[^\s)>\]]+/g;
/** Comments and strings of a snippet are words, not names. */
const IN_SNIPPET = /(["'])(?:\\.|(?!\1)[^\\\n]){0,300}\1|(?:^|\s)(?:#|\/\/).*$/gm;

export function mentionsIn(parts: readonly ReportPart[]): NameMentions {
  const found = new MentionSet();
  for (const { kind, text } of parts) {
    const weight = NAME_WEIGHTS[kind];
    if (weight === 0) continue;
    const plain = text.replaceAll(URL, " ");
    const isCode = kind === "code" || kind === "diff" || kind === "traceback";
    if (!isCode) {
      for (const [, quoted = ""] of plain.matchAll(QUOTED)) found.read(quoted, weight, "quoted");
    }
    found.read(
      isCode ? plain.replaceAll(IN_SNIPPET, " ") : plain,
      weight,
      isCode ? "code" : "prose",
    );
    if (kind === "title") found.readWords(plain, weight);
  }
  return found.mentions();
}

type Context = "code" | "prose" | "quoted";

/** The occurrences of one name: the most important part that contains it, and its most certain spelling. */
interface NameInText {
  readonly name: string;
  readonly scope: string | undefined;
  part: number;
  form: number;
  isInCodeOnly: boolean;
}

class MentionSet {
  readonly #names = new Map<string, NameInText>();
  readonly #modules = new Map<string, MentionedModule>();

  read(text: string, part: number, context: Context): void {
    for (const match of text.matchAll(NAME)) {
      const isCalled = match.groups?.["after"] !== undefined;
      const whole = isCalled ? match[0].slice(0, -1) : match[0];
      const segments = whole.split(SEPARATOR);
      const [scope, last] = [segments.at(-2), segments.at(-1) ?? ""];
      const form = formOf(last, scope !== undefined, isCalled, context);
      if (form !== undefined) this.#add(last, scope, { part, form, context });
      if (scope === undefined) continue;
      this.#addModules(segments, part);
      if (TYPE_SHAPE.test(scope))
        this.#add(scope, segments.at(-3), { part, form: "type", context });
    }
  }

  /** Plain words that may be names: only a title is short enough for that. */
  readWords(text: string, part: number): void {
    for (const [word] of text.matchAll(/[\p{L}_][\p{L}\p{N}_]{2,}/gu)) {
      if (STOP_WORDS.has(word.toLowerCase())) continue;
      this.#add(word, undefined, { part, form: "word", context: "prose" });
    }
  }

  mentions(): NameMentions {
    const all = [...this.#names.values()];
    const inCode = all.filter(({ isInCodeOnly }) => isInCodeOnly).length;
    // A snippet with two names is about them, one with twenty about none of them in particular.
    const codeFactor = Math.max(MIN_CODE_FACTOR, MAX_CODE_FACTOR / Math.sqrt(Math.max(1, inCode)));
    const names = all.map(({ name, scope, part, form, isInCodeOnly }): MentionedName => {
      const weight = part * form * (isInCodeOnly ? codeFactor : 1);
      const isWord = form === FORM_WEIGHTS.word;
      return { name, weight, isWord, ...(scope === undefined ? {} : { scope }) };
    });
    return {
      names: names.toSorted((a, b) => b.weight - a.weight).slice(0, MAX_NAMES),
      modules: [...this.#modules.values()],
    };
  }

  /** The strongest mention counts: thirty in pasted output say no more than one. */
  #add(
    name: string,
    scope: string | undefined,
    { part, form, context }: { part: number; form: Form; context: Context },
  ): void {
    if (name.length < MIN_LENGTH || name.length > MAX_LENGTH) return;
    const key = scope === undefined ? name : `${scope}.${name}`;
    const known = this.#names.get(key) ?? { name, scope, part: 0, form: 0, isInCodeOnly: true };
    known.part = Math.max(known.part, part);
    known.form = Math.max(known.form, FORM_WEIGHTS[form]);
    known.isInCodeOnly &&= context === "code";
    this.#names.set(key, known);
  }

  /** All of `a.b.c` may be a module, or `c` be something in `a.b`. */
  #addModules(segments: readonly string[], weight: number): void {
    for (const path of [segments.join("/"), segments.slice(0, -1).join("/")]) {
      const before = this.#modules.get(path)?.weight ?? 0;
      if (path.includes("/") && weight > before) this.#modules.set(path, { path, weight });
    }
  }
}

function formOf(
  name: string,
  isMember: boolean,
  isCalled: boolean,
  context: Context,
): Form | undefined {
  if (context === "quoted") return "quoted";
  if (CODE_SHAPE.test(name)) return "code";
  if (isCalled) return "called";
  if (isMember) return "member";
  if (TYPE_SHAPE.test(name) && context === "code") return "type";
  return undefined;
}
