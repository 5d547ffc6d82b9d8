/** Weighted signals in a message for or against a code search, one per property. */

import type { ContextSignal } from "../contracts/context-request.ts";

/** The code that a message names. */
export interface MessageMentions {
  readonly paths: readonly string[];
  readonly identifiers: readonly string[];
}

/** A file with a known extension, with or without folders; `e.g.`, `v1.5` and `example.com` are none. */
const FILE =
  /(?<![\w@])(?:[\w@.+-]+[/\\])*[\w@+.-]*\w\.(?:[cm]?[jt]sx?|py[iwx]?|ipynb|go|rs|java|kts?|scala|sbt|groovy|gradle|clj[cs]?|c|cc|cpp|cxx|h|hh|hpp|hxx|mm|cs|csproj|fsx?|vb|rb|rake|erb|php|pl|pm|exs?|heex|erl|hrl|lua|nim|zig|hs|cabal|mli?|swift|dart|jl|cr|r|sh|bash|bats|zsh|fish|ps1|sql|ya?ml|toml|json|jsonc|html?|css|scss|less|vue|svelte|xml|proto|graphql|tf|nix|cmake|md|mdx|rst|txt|lock|ini|cfg|conf|env)(?![\w/\\])/gi;
/** A path of two folders at least, or one that begins like a path. */
const FOLDER = /(?<![\w@:/.])(?:\.{0,2}\/)?(?:[\w@+-][\w@.+-]*\/){2,}[\w@+-]*(?![\w/-]|\.\w)/g;
const FILE_NAMES =
  /\b(?:Makefile|Dockerfile|Gemfile|Rakefile|CMakeLists|Jenkinsfile|Vagrantfile|go\.mod|go\.sum)\b/g;
/** In the head of a patch the file comes after `a/` and `b/`. */
const PATCH_FILE =
  /^(?:\+\+\+|---|\*\*\* (?:Update|Add|Delete) File:|diff --git) +(?:[ab]\/)?(\S+)/gm;
/** With a scheme, or a domain of the common ones: no path of a code base. */
const URL =
  /\b[a-z][a-z0-9+.-]*:\/\/\S+|\b(?:[\w-]+\.)+(?:com|org|net|io|dev|edu|gov)(?::\d+)?(?:\/\S*)?(?![\w.])/gi;

const IDENTIFIERS: readonly RegExp[] = [
  /`([^`\s]{2,80})`/g,
  /\b([a-z]+[a-z0-9]*(?:[A-Z][a-z0-9]+)+)\b/g,
  /\b((?:[A-Z][a-z0-9]+){2,})\b/g,
  /\b(_*[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+)\b/g,
  /\b([A-Za-z_][\w]*(?:(?:\.|::|#|->)[A-Za-z_]\w*)+)\(?/g,
  /\b([A-Za-z_]\w{2,})\(\)/g,
];
/** Abbreviations and names that look like identifiers. */
const NOT_IDENTIFIERS =
  /^(?:e\.g|i\.e|a\.k\.a|p\.s|vs|etc|GitHub|GitLab|JavaScript|TypeScript|PostgreSQL|MySQL|OpenAI|YouTube|LinkedIn|Node\.js|node\.js|Next\.js|Vue\.js)\.?$/;

const STACK =
  /^\s*(?:at .+[:(]\d+|File "[^"]+", line \d+|#\d+ .+:\d+|\s+from .+:\d+:in |goroutine \d+|panic:|thread '.*' panicked|Traceback \(most recent)|Exception in thread|Caused by: |\.go:\d+ \+0x/m;
const COMPILER =
  /\b(?:error(?:\[E\d{4}\]| TS\d{4,5}| CS\d{4}|: )|[A-Z]\w*(?:Error|Exception)\b|fatal: |undefined reference|segmentation fault|ECONN\w+|ENOENT|exit(?:ed with)? (?:code|status) [1-9])|^\s*(?:E|FAILED) {2,}\S/m;
const CODE_BLOCK = /^\s*(?:```|~~~)/m;
const DIFF = /^(?:@@ .* @@|diff --git |\*\*\* Begin Patch|(?:\+\+\+|---) [ab]\/)/m;

/** Question words of the languages most often used in prompts; a non-Latin script is a signal too. */
const QUESTION =
  /[?？¿؟]|\b(?:how|where|what|which|why|when|who|wo|wie|warum|welche[rsmn]?|wann|o[ùu]|comment|pourquoi|quels?|quelles?|d[óo]nde|c[óo]mo|por qu[ée]|cu[áa]l|onde|qual|dove|come|perch[ée]|quale|waar|hoe|waarom|gdzie|jak|dlaczego)\b|(?:^|[^\p{L}])(?:где|как|почему|зачем|какой|какие|когда|де|як|чому)(?:[^\p{L}]|$)|哪里|哪儿|怎么|如何|为什么|什么|哪个|どこ|どう|なぜ|何が|어디|어떻게|왜/iu;
const REQUEST =
  /\b(?:should|must|fix|add|implement|refactor|explain|find|show|change|rename|remove|delete|move|extend|support|debug|trace|update|replace|optimi[sz]e|investigate|handle|write|use|uses|used|call|calls|called|improve|allow|make|prevent|avoid|drop|deprecate|migrate|convert|split|extract|document|behebe\w*|beheben|erkl[äa]re\w*|finde\w*|zeige\w*|[äa]ndere\w*|ersetze\w*|entferne\w*|pr[üu]fe\w*|hinzuf[üu]gen|soll(?:en|te)?|ajoute[rz]?|supprime[rz]?|remplace[rz]?|affiche[rz]?|mettre|corrige[rz]?|explique[rz]?|arregla|a[ñn]ade|explica|busca|corrija|adicione)\b|исправь|добавь|найди|покажи|объясни|修复|添加|解释|修改|実装|修正|説明|추가|수정/iu;
const CONCEPT =
  /\b(?:async\w*|errors?|exceptions?|functions?|class(?:es)?|methods?|interfaces?|modules?|packages?|tests?|config\w*|settings?|options?|pars(?:e|er|ing|es)|cach(?:e|es|ing|ed)|auth\w*|tokens?|sessions?|requests?|responses?|rout(?:e|es|er|ing)|middlewares?|database|quer(?:y|ies)|schemas?|migrations?|index(?:es|ing)?|threads?|locks?|mutex|queues?|workers?|memory|leaks?|performance|timeouts?|retr(?:y|ies)|connections?|sockets?|http|json|serializ\w+|encod\w+|decod\w+|validat\w+|render\w*|hooks?|plugins?|commands?|cli|api|endpoints?|clients?|servers?|handlers?|loggers?|logging|types?|generics?|macros?|imports?|exports?|dependenc\w+|build|compil\w+|bugs?|code|files?|callbacks?|events?|streams?|buffers?|arguments?|parameters?|fields?|constants?|variables?|return\w*|null|undefined|strings?|arrays?|maps?|iterators?)\b/giu;
/** Says that something is not as it should be. */
const FAILURE =
  /\b(?:fail(?:s|ed|ing|ure)?|broken|breaks?|crash(?:es|ed|ing)?|wrong(?:ly)?|does(?:n't| not)|is(?:n't| not)|do(?:n't| not)|cannot|can't|missing|lacks?|los(?:t|es)|leak(?:s|ed|ing)?|stuck|hangs?|stops?|regression|nothing happens|fehlt|fehler\w*|falsch|geht nicht|erreurs?|[ée]choue|ne \S+ pas|errores?|falla|no funciona|erros?|n[ãa]o funciona)\b/iu;
/** Questions about the past, or about dependents of a place: only a code base answers them. */
const ABOUT_CODE =
  /\b(?:which commit|who (?:calls|uses|wrote|added|changed)|(?:call|depend)(?:s|ed|ers?|ents?)? (?:by|on|of))\b/i;
/** About the work on a code base, such as a review, a release or thanks. */
const PROCESS =
  /\b(?:re-?based?|clos(?:e|ed|ing)(?: (?:this|it|as|them|out))?|duplicate|road ?map|next release|release plans?|maintained|look (?:again|into (?:it|this))|another look|have a look|find the time|looks? (?:good|nice|great)|happy to|sorry|thank(?:s| you)|cheers|congratulations|welcome|please review|merged|lgtm|\+1|feel free|let me know|discord|invit(?:e|ation)|meeting)\b/i;
/** Messages that need no code. */
const SMALL_TALK =
  /^[\s\p{P}\p{S}]*(?:thanks?(?: you)?(?: (?:so|very) much| a lot)?|thx|ty|ok(?:ay)?|great|perfect|nice|good(?: job| work| morning)?|cool|awesome|hi|hello|hey|yes|yep|yeah|no|nope|please|sure|done|go ahead|continue|proceed|go on|lgtm|looks good(?: to me)?|sounds good|stop|wait|never ?mind|got it|i see|commit(?: (?:it|this|that|the changes))?|push(?: it)?|danke|merci|gracias|obrigado|спасибо|да|нет|谢谢|好的|继续|ありがとう|はい)(?:[\s\p{P}\p{S}]+(?:thanks?|please|then|so much|now|that|that's all|again|everyone|there|you|it|all|works?|now|do it|go ahead|continue|that is all|looks good))*[\s\p{P}\p{S}]*$/iu;
/** Requests that are about the message, the tool or the world, and not about a code base. */
const ELSEWHERE =
  /\b(?:weather|joke|poem|haiku|birthday|recipe|translate (?:this|the following)|your name|who are you|what can you do|tell me about yourself|bye|good night|see you|lunch|capital of|summari[sz]e (?:our|this) (?:chat|conversation)|commit message|open a pr|create a pull request|what time)\b/i;

const OTHER_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Greek}\p{Script=Thai}\p{Script=Devanagari}]/u;

/** The message's confidence without any signal is 0.29. */
const BIAS = -0.9;
/** Minimum confidence to search. */
export const MIN_CONFIDENCE = 0.5;
/** A reply of at most this many words is understood by what came before it. */
const MAX_SHORT_REPLY_WORDS = 6;

export interface Recent {
  readonly recentFiles?: readonly string[] | undefined;
  readonly recentTerms?: readonly string[] | undefined;
}

export function messageMentions(message: string): MessageMentions {
  let text = message.replace(URL, " ");
  const paths = new Set<string>();
  for (const [, path = ""] of text.matchAll(PATCH_FILE)) {
    if (path !== "/dev/null") paths.add(withoutPatchPrefix(path));
  }
  const isPatch = DIFF.test(text);
  for (const pattern of [FILE, FOLDER, FILE_NAMES]) {
    for (const [path] of text.matchAll(pattern)) {
      const written = path.replaceAll("\\", "/").replace(/^\.\//, "");
      paths.add(isPatch ? withoutPatchPrefix(written) : written);
    }
    text = text.replace(pattern, " ");
  }
  const identifiers = new Set<string>();
  for (const pattern of IDENTIFIERS) {
    for (const [, name = ""] of text.matchAll(pattern)) {
      if (!NOT_IDENTIFIERS.test(name)) identifiers.add(name.replace(/\(\)$/, ""));
    }
  }
  return { paths: [...paths], identifiers: [...identifiers] };
}

function withoutPatchPrefix(path: string): string {
  return path.replace(/^[ab]\//, "");
}

export function isShortReply(message: string): boolean {
  return (message.match(/[\p{L}\p{N}_]+/gu) ?? []).length <= MAX_SHORT_REPLY_WORDS;
}

/** All signals that the message gives, with their weights. */
export function signalsOf(
  message: string,
  mentions: MessageMentions,
  recent: Recent,
): ContextSignal[] {
  const { paths, identifiers } = mentions;
  const concepts = [...new Set(message.match(CONCEPT) ?? [])];
  const words = (message.match(/[\p{L}\p{N}_]+/gu) ?? []).length;
  const hasRecent = (recent.recentFiles?.length ?? 0) + (recent.recentTerms?.length ?? 0) > 0;
  const isSmallTalk = SMALL_TALK.test(message);
  const candidates: readonly (ContextSignal | false)[] = [
    paths.length > 0 && { name: "path", weight: 1.5, found: paths.slice(0, 20) },
    identifiers.length > 0 && { name: "identifier", weight: 1.2, found: identifiers.slice(0, 20) },
    STACK.test(message) && { name: "stackTrace", weight: 1.6 },
    COMPILER.test(message) && { name: "error", weight: 1 },
    DIFF.test(message) && { name: "diff", weight: 0.8 },
    CODE_BLOCK.test(message) && { name: "codeBlock", weight: 0.6 },
    QUESTION.test(message) && { name: "question", weight: 0.6 },
    REQUEST.test(message) && { name: "request", weight: 0.6 },
    concepts.length > 0 && {
      name: "concept",
      weight: Math.min(1.2, 0.4 + 0.3 * concepts.length),
      found: concepts.slice(0, 20),
    },
    OTHER_SCRIPT.test(message) && !isSmallTalk && { name: "otherScript", weight: 0.5 },
    FAILURE.test(message) && { name: "failure", weight: 0.65 },
    ABOUT_CODE.test(message) && { name: "aboutCode", weight: 0.5 },
    words >= 12 && { name: "length", weight: 0.3 },
    isShortReply(message) && hasRecent && !isSmallTalk && { name: "shortReply", weight: 0.9 },
    isSmallTalk && { name: "smallTalk", weight: -3 },
    PROCESS.test(message) &&
      !isSmallTalk &&
      paths.length + identifiers.length === 0 && { name: "process", weight: -0.7 },
    ELSEWHERE.test(message) && { name: "elsewhere", weight: -1.8 },
  ];
  return candidates.filter((each) => each !== false);
}

/** Logistic, so that it is between 0 and 1. */
export function confidenceOf(signals: readonly ContextSignal[]): number {
  const sum = signals.reduce((total, { weight }) => total + weight, BIAS);
  return 1 / (1 + Math.exp(-sum));
}
