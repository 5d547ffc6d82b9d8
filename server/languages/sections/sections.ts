/** Section readers for markup and configuration by language, for files without a specific format. */

import { elementsOf } from "./elements.ts";
import { type Heading, type HeadRules, sectionsByHeads } from "./headings.ts";
import { inDockerfile, inMakefile, inMarkdown, inToml } from "./hidden.ts";
import { ITEM, type Key, keysOf } from "./keys.ts";
import { HEADING, type Section } from "./section.ts";
import { templatesOf } from "./templates.ts";

type Cut = (lines: readonly string[]) => Section[];

const heading = (name: string | undefined, rank: number): Heading | undefined =>
  name === undefined || name.trim() === "" ? undefined : { name: name.trim(), type: HEADING, rank };

const MARKDOWN: HeadRules = {
  hides: inMarkdown,
  head: (line, next) => {
    const [head, marks] = /^ {0,3}(#{1,6})[ \t]+(?=[^ \t])/.exec(line) ?? [];
    if (head !== undefined && marks !== undefined) {
      return heading(withoutMarkup(withoutMarks(line.slice(head.length))), marks.length);
    }
    const rule = /^ {0,3}(=+|-{3,})[ \t]*$/.exec(next ?? "")?.[1];
    const isTitle = rule !== undefined && /^ {0,3}[^\s#>|*+-]/.test(line) && line.length < 120;
    return isTitle
      ? heading(withoutMarkup(withoutAttributes(line)), rule.startsWith("=") ? 1 : 2)
      : undefined;
  },
};

/** `Title ##` with a space before the marks, and `Title {#id .class}`, in either order. */
function withoutMarks(written: string): string {
  const title = withoutAttributes(written);
  let end = title.length;
  while (title[end - 1] === "#") end--;
  return /[ \t]/.test(title[end - 1] ?? "") ? withoutAttributes(title.slice(0, end)) : title;
}

function withoutAttributes(title: string): string {
  return title.trimEnd().replace(ATTRIBUTES, "").trimEnd();
}

/** Attributes of Pandoc, kramdown and Docusaurus. A title that consists only of them keeps them. */
const ATTRIBUTES = /(?<=\S[ \t]{0,8})(?:\{:? ?[#.][^{}`]{0,200}\}|\{\/\*[^{}`]{0,200}\*\/\})$/;

/** Longer titles are paragraphs. */
const MAX_TITLE_LENGTH = 1_000;

/** Links, code and emphasis in a title. */
function withoutMarkup(title: string): string {
  return title
    .slice(0, MAX_TITLE_LENGTH)
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll(/[`*]/g, "")
    .trim();
}

/** Underline characters in their usual order; documents may use others. */
const UNDERLINES = "=-~^\"'`+*#";
const RESTRUCTURED: HeadRules = {
  head: (line, next) => {
    const mark = /^([=\-~^"'`+*#])\1{2,}\s*$/.exec(next ?? "")?.[1];
    const isTitle = mark !== undefined && /^\S/.test(line) && !/^([=\-~^"'`+*#.])\1+$/.test(line);
    return isTitle ? heading(line, UNDERLINES.indexOf(mark) + 1) : undefined;
  },
};

const marked = (mark: RegExp): HeadRules => ({
  head: (line) => {
    const [, marks, title] = mark.exec(line) ?? [];
    return marks === undefined ? undefined : heading(title, marks.length);
  },
});

const LATEX_RANKS = ["part", "chapter", "section", "subsection", "subsubsection", "paragraph"];
const LATEX: HeadRules = {
  head: (line) => {
    const [, word = "", title] =
      /^\s*\\(part|chapter|section|subsection|subsubsection|paragraph)\*?\{([^}]+)\}/.exec(line) ??
      [];
    return heading(title, LATEX_RANKS.indexOf(word) + 1);
  },
};

/** `[tool.ruff]` and `[[bin]]`. */
const TABLES: HeadRules = {
  head: (line) => {
    const name = /^\s*\[{1,2}([^[\]]+)\]{1,2}\s*(?:[#;].*)?$/.exec(line)?.[1]?.trim();
    return name === undefined || name === "" ? undefined : { name, type: "table", rank: 1 };
  },
};

/** A stage is named by its alias, else by its image. */
const STAGES: HeadRules = {
  head: (line) => {
    const [, image, alias] = /^FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/i.exec(line) ?? [];
    return image === undefined ? undefined : { name: alias ?? image, type: "stage", rank: 1 };
  },
};

/** Assignments after a target: `test: export MODE = fast`. A recipe after a semicolon may contain assignments, too. */
const VARIABLE_OF_TARGET =
  /^\s*::?\s*(?:(?:export|override|private)\s+){0,3}[\w.-]{1,100}\s*(?:[:?+!]|:{2,3})?=/;

const TARGETS: HeadRules = {
  head: (line) => {
    // The lookahead makes the group atomic; backtracking would take quadratic time.
    const name = /^(?=([\w./%$(){}-][^:=#\t]*))\1\s*::?(?![=:])(?:\s|$)/.exec(line)?.[1]?.trimEnd();
    if (name !== undefined && VARIABLE_OF_TARGET.test(line.slice(name.length))) return undefined;
    const isTarget = name !== undefined && !/^(?:export|ifeq|ifneq|include)\b|^\.[A-Z]/.test(name);
    return isTarget ? { name, type: "target", rank: 1 } : undefined;
  },
  continues: /^(?:\t| {2,})/,
};

/** Keys with values over several lines; deeper keys are part of them. */
const MAX_KEY_DEPTH = 2;
const keys: Cut = (lines) =>
  keysOf(lines)
    .filter(({ path, first, last }) => isKept(path) && last > first)
    .map((key) => toSection(key, "key"));

function isKept(path: Key["path"]): boolean {
  return path.length <= MAX_KEY_DEPTH && !path.includes(ITEM);
}

export function toSection({ path, first, last }: Key, type: string, name = path.at(-1)): Section {
  return { name: name ?? "", type, first, last };
}

const byHeads =
  (rules: HeadRules): Cut =>
  (lines) =>
    sectionsByHeads(lines, rules);

const CUTS: Readonly<Record<string, Cut>> = {
  markdown: byHeads(MARKDOWN),
  mdx: byHeads(MARKDOWN),
  restructuredtext: byHeads(RESTRUCTURED),
  asciidoc: byHeads(marked(/^(={1,6})\s+(\S.*)$/)),
  org: byHeads(marked(/^(\*{1,6})\s+(\S.*)$/)),
  latex: byHeads(LATEX),
  toml: byHeads({ ...TABLES, hides: inToml }),
  ini: byHeads(TABLES),
  dockerfile: byHeads({ ...STAGES, hides: inDockerfile }),
  make: byHeads({ ...TARGETS, hides: inMakefile }),
  gotemplate: templatesOf,
  xml: elementsOf,
  yaml: keys,
  json: keys,
};

/** Undefined for languages without sections. */
export function cutOf(languageId: string): Cut | undefined {
  return CUTS[languageId];
}
