/** Classifies a single line of a bug report: stack frame, log, environment dump, template, or prose. */

import { STOP_WORDS } from "../query/stop-words.ts";

/** `environment`, `template` and `rule` carry no evidence about the place to fix. */
export type LineKind =
  | "frame"
  | "log"
  | "environment"
  | "template"
  | "heading"
  | "prompt"
  | "blank"
  | "text";

/** Maximum number of characters read per line; the rest is data. */
const MAX_LINE_LENGTH = 1_000;

const TRACEBACK_START =
  /^\W*(?:traceback \(|stack ?trace:?$|stack backtrace:|caused by: |goroutine \d+ \[|thread '[^']+' panicked|exception in thread |panic: |\*{2} \(\w|={2,}\d*={2,}\s*error:|program received signal)/i;

/** Lines with a place, with any text around them. */
const FRAME: readonly RegExp[] = [
  /^\s*File "[^"]+", line \d+/,
  /^(?:File )?[~/\w.\\-]+\.\w+(?::\d+|\(\d+\))?,? in \w[\w.<>]*\(/,
  /^\s+at [\w$.<(/@]/,
  /^\s*(?:#\d+|frame #\d+:|\[\d+\])\s/,
  /^\s*(?:\d+: |from )\S+[:/]\S+:\d+/,
  /^[\w./\\~-]+\.\w{1,5}:\d+(?::\d+)?:? /,
  /^\s+\S+\.(?:go|exs?|erl|rs|rb|lua|jl):\d+/,
  // rustc and swiftc point to the place with an arrow.
  /^\s*(?:-->|:::) \S+\.\w+:\d+/,
  /^E {3,}\S/,
];

const LOG =
  /^\W{0,2}(?:\d{4}[-/]\d\d[-/]\d\d[ T]\d|\d\d:\d\d:\d\d[.,\s]|\w{3} +\d+ \d\d:\d\d:\d\d |(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE|NOTICE|CRITICAL)\b[\s:|\]])/;

const VERSION = String.raw`v?\d+(?:\.\d+)+[\w.+-]*`;
const ENVIRONMENT: readonly RegExp[] = [
  // pip list, conda list, npm ls: a name, a gap, a version.
  new RegExp(String.raw`^\W*[\w@/.-]+\s{2,}${VERSION}(?:\s.*)?$`),
  new RegExp(String.raw`^\W*[\w.@/-]+(?:==|@)${VERSION}\s*$`),
  new RegExp(
    String.raw`^\W*(?:\w[\w .+#-]{0,30}\s)?(?:version|release|build)\W*[:=]?\s*\W?${VERSION}`,
    "i",
  ),
  new RegExp(
    String.raw`^\W*(?:os|python|platform|node|npm|yarn|java|jdk|jvm|ruby|go|rustc?|cargo|php|elixir|erlang|dotnet|compiler|gcc|clang|browser|chrome|firefox|kernel|cpu|gpu|arch\w*|operating system|docker|[\w-]+)\W{1,4}(?:version\W+)?${VERSION}\W*$`,
    "i",
  ),
  /^\W*(?:os|platform|operating system|architecture|machine|kernel|hostname)\s*[:=|]/i,
  /^platform \w+ -- /,
  /^(?:plugins|rootdir|inifile|cachedir|configfile): /,
  /^[-\s|=+]{5,}$/,
  /^\s*(?:Package|Name)\s+Version\b/,
  /^(?:Linux|Darwin|MINGW\w*) \S+ \d+\./,
];

const TEMPLATE: readonly RegExp[] = [
  /^\s*[-*+] \[[ xX]?\]/,
  /^\W*(?:here'?s a quick checklist|please (?:search|fill|provide|read|make sure|check|describe|include|use|note)|if applicable,|add any other context|a clear and concise description|(?:steps|how) to reproduce the behaviou?r|tell us|delete (?:this|the)|if you(?:'re| are) (?:not )?(?:unsure|using|new))\b/i,
  /^\s*\d+[.)] (?:go to '\.*'|click on '\.*'|scroll down to '\.*'|see error\s*$)/i,
  /^\s*<\/?(?:details|summary|p|br|div|h\d|ul|li|table|tr|td|img|hr|b|center)\b[^>]*>\s*$/i,
  /^\s*(?:cc|\/cc|ping|assignees?|labels?|milestone)\b:? @?/i,
  /^\s*(?:Original issue for|Original author|Referenced issues|Referenced contacts|Imported from|Original (?:comment|attachment))\b/i,
];

const THANKS = /^\W*(?:thanks|thank you) (?:for|in advance)\b[^.!?]*/i;

/** A line that begins with a version is a sentence if it has this many function words: `In 1.7 this no longer works`. */
const MIN_FUNCTION_WORDS = 3;
const MIN_SENTENCE_WORDS = 6;

/** Headings of templates, and the sections below them that hold no more than versions. */
const TEMPLATE_HEADING =
  /^(?:describe the (?:bug|issue|problem|solution).*|description|(?:bug )?summary|(?:the )?(?:bug|issue|problem|question|feature request|proposal|context|background|motivation)|(?:steps )?(?:to )?reproduc\w*.*|repro|how to reproduce|minimal .*|(?:reproducible )?example|(?:code )?sample|code|expected.*|actual.*|current (?:behaviou?r|output|result).*|observed.*|desired.*|what (?:happened|did you expect|i (?:did|expected)).*|additional (?:context|info\w*)|(?:error|log|relevant log|full) ?(?:output|message|logs?|trace\w*)?|output|logs?|results?|screenshots?|possible (?:solution|fix)|stack ?trace|traceback|notes?|checklist|details|comments?|edit|update|related.*|alternatives.*|to do|other)$/i;
const ENVIRONMENT_HEADING =
  /^(?:(?:your |my |system |runtime |software |package )?(?:environment|versions?|setup|platform|system|configuration|dependencies|installed packages|info(?:rmation)?)(?: (?:info(?:rmation)?|details|versions?))*|.{0,30}\bversions?(?: info)?|(?:pip|conda|npm) (?:list|freeze|ls)|os|(?:desktop|smartphone)(?: please complete.*)?)$/i;

const HEADING = /^\s*(?:#{1,6}\s+(.*?)\s*#*|\*\*([^*]+)\*\*:?|__([^_]+)__:?)\s*$/;
const COLON_HEADING = /^([A-Z][\w ()/']{2,40}):$/;

/** `>>> f(x)`, `In [3]: f(x)`, `julia> f(x)`, `$ make`. */
const PROMPT =
  /^\s*(?:>>> |\.\.\. |In ?\[\d+\]: |Out ?\[\d+\]: ?|irb[^>]*> |iex[^>]*> |julia> |\$ )/;

export function kindOfLine(whole: string): LineKind {
  const line = whole.slice(0, MAX_LINE_LENGTH);
  if (line.trim() === "") return "blank";
  if (PROMPT.test(line)) return "prompt";
  if (isFrameLine(line)) return "frame";
  if (LOG.test(line)) return "log";
  if (TEMPLATE.some((pattern) => pattern.test(line)) || isThanks(line)) return "template";
  if (headingOf(line) !== undefined) return "heading";
  const isEnvironment = ENVIRONMENT.some((pattern) => pattern.test(line)) && !isSentence(line);
  return isEnvironment ? "environment" : "text";
}

/** Whether a line only says thanks: a sentence after the thanks may describe the problem. */
function isThanks(line: string): boolean {
  const thanks = THANKS.exec(line)?.[0];
  return thanks !== undefined && !isSentence(line.slice(thanks.length));
}

/** Whether a line is prose: it has function words, which lists of versions and settings lack. */
export function isSentence(line: string): boolean {
  const words = line.toLowerCase().match(/\p{L}+/gu) ?? [];
  const functionWords = words.filter((word) => STOP_WORDS.has(word)).length;
  return words.length >= MIN_SENTENCE_WORDS && functionWords >= MIN_FUNCTION_WORDS;
}

function isFrameLine(line: string): boolean {
  return TRACEBACK_START.test(line) || FRAME.some((pattern) => pattern.test(line));
}

/** Whether a traceback begins on this line, with any text around it. */
export function startsTraceback(line: string): boolean {
  return TRACEBACK_START.test(line);
}

/** The text of a heading, in Markdown or as a line that ends in a colon. */
export function headingOf(line: string): string | undefined {
  const [, hashes, stars, underscores] = HEADING.exec(line) ?? [];
  return (hashes ?? stars ?? underscores ?? COLON_HEADING.exec(line.trim())?.[1])?.trim();
}

/** Classifies the section below a heading. */
export function sectionOf(heading: string): "environment" | "template" | "own" {
  const plain = heading.replaceAll(/[^\p{L}\p{N}'/-]+/gu, " ").trim();
  if (ENVIRONMENT_HEADING.test(plain)) return "environment";
  return TEMPLATE_HEADING.test(plain) ? "template" : "own";
}
