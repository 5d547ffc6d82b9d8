/** Puts tests, examples, generated code and other unlikely files below the implementation, unless the question asks for them. */

import { getOrCreate } from "../../common/get-or-create.ts";
import { memoizeRetained } from "../../common/memoize.ts";
import type { ChunkFacts } from "../../contracts/lanes.ts";
import type { Query } from "../query/query.ts";
import { type Boost, numberFiles, type Ranked, rescore } from "../ranking.ts";
import { matchFrames } from "../report/match-frames.ts";
import { asksForTests } from "./asks-for-tests.ts";

type CategorizedFile = Pick<ChunkFacts, "path" | "category">;

interface Purpose {
  readonly name: string;
  readonly factor: number;
  readonly has: (file: CategorizedFile) => boolean;
  /** Matches words of a question that asks for such files. */
  readonly askedBy: RegExp;
  /** Whether a text with such a word asks for the files, where products use the words as well. */
  readonly isAskedIn?: (text: string) => boolean;
}

/**
 * The factor of files that a question mentions and does not ask for: `how plugin specs are parsed`. .3 and .7 instead are within
 * .002 of each other over whole repositories (test/ranking/natural.md).
 */
const MENTIONED = 0.5;

const inFolder = (folders: RegExp) => {
  const pattern = new RegExp(`(?:^|/)(?:${folders.source})/`, "i");
  return ({ path }: CategorizedFile) => pattern.test(path);
};

const named = (name: RegExp) => {
  const pattern = new RegExp(`(?:^|/)(?:${name.source})$`, "i");
  return ({ path }: CategorizedFile) => pattern.test(path);
};

const VENDOR_FOLDER = inFolder(
  /vendor|vendored|_vendor|third[_-]?party|node_modules|bower_components/,
);

/** Factors multiply: an example among the tests is doubly unlikely. */
const PURPOSES: readonly Purpose[] = [
  {
    name: "test",
    factor: 0.3,
    has: ({ category }) => category === "test",
    askedBy: /^(?:tests?|testing|tested|specs?|fixtures?|mocks?|asserts?|assertions?)$/,
    isAskedIn: asksForTests,
  },
  {
    // After the code that answers: .7 loses .008 over whole repositories, .35 gains no more.
    name: "documentation",
    factor: 0.4,
    has: ({ category }) => category === "docs",
    askedBy:
      /^(?:docs?|documentation|documented|readme|guide|tutorial|changelog|licen[cs]e|markdown)$/,
  },
  {
    name: "configuration",
    factor: 0.6,
    has: ({ category }) => category === "config",
    askedBy:
      /^(?:config|configs|configuration|configured|settings?|ya?ml|toml|json|ci|workflows?|pipelines?|docker|dockerfile|compose|helm|kubernetes|terraform|deploy|deployment|dependenc(?:y|ies)|packages?|scripts?|lint)$/,
  },
  {
    name: "example",
    factor: 0.3,
    has: inFolder(/_?examples?|samples?|demos?|docs?_src/),
    askedBy: /^(?:examples?|samples?|demos?|tutorial|usage)$/,
  },
  {
    name: "benchmark",
    factor: 0.3,
    has: inFolder(/bench|benches|benchmarks?/),
    askedBy: /^(?:bench|benchmarks?|benchmarking|performance|speed)$/,
  },
  {
    name: "compatibility",
    factor: 0.3,
    has: inFolder(/_?compat|legacy|deprecated/),
    askedBy: /^(?:compat|compatib\w+|legacy|deprecat\w+|old)$/,
  },
  {
    // One file with the text of all others.
    name: "amalgamation",
    factor: 0.3,
    has: inFolder(/single[_-](?:include|header|file)s?|amalgamat(?:ed|ion)/),
    askedBy: /^(?:single|amalgamat\w+)$/,
  },
  {
    // Numbered steps to the schema of a database; they repeat the words of the code that uses it.
    name: "migration",
    factor: 0.5,
    has: named(/(?:migrate|migrations|alembic\/versions)\/(?:[^/]+\/)*v?\d{3,}[^/]*/),
    askedBy: /^(?:migrat\w+|schemas?|columns?|tables?)$/,
  },
  {
    name: "repository host",
    factor: 0.4,
    has: inFolder(/\.(?:github|gitlab|gitea|circleci)/),
    askedBy:
      /^(?:ci|workflows?|github|gitlab|actions?|pipelines?|contribut\w+|issues?|templates?|release)$/,
  },
  {
    name: "generated",
    factor: 0.3,
    has: named(
      /.*(?:[._]generated\.\w+|\.g\.(?:cs|dart)|\.gen\.\w+|\.pb\.(?:go|cc|h)|_pb2(?:_grpc)?\.pyi?|\.min\.\w+|\.designer\.(?:cs|vb)|ModelSnapshot\.cs)/,
    ),
    askedBy: /^(?:generated?|protobuf|proto|pb)$/,
  },
  {
    // It repeats the flags and the texts of a program, and is mostly generated.
    name: "shell completion",
    factor: 0.4,
    has: named(
      /(?:.*[-_.])?(?:auto-?)?complet(?:e|ions?)\.(?:bash|fish|ps1|sh|zsh)|.*\.bash-completion/,
    ),
    askedBy: /^(?:(?:auto)?complet\w+|bash|zsh|fish|powershell|shell)$/,
  },
  {
    name: "translation",
    factor: 0.3,
    has: named(
      /(?:locales?|i18n|l10n|lang|languages|translations?|localizations?)(?:\/[^/]+)*\/[^/]+\.(?:json|ya?ml|properties|ini)|.*\.(?:po|pot|xliff?|arb|resx|strings)/,
    ),
    askedBy: /^(?:translat\w+|locali[sz]\w+|locales?|i18n|l10n|languages?|strings?)$/,
  },
  {
    // Release notes mention everything once.
    name: "release notes",
    factor: 0.5,
    has: named(
      /(?:change-?logs?|changes|history|news|release-?notes?|releases?|whats-?new|upgrad(?:e|ing)|release-[\d.]+)\.(?:md|txt|rst|adoc|html|sgml|org)/,
    ),
    askedBy:
      /^(?:change-?logs?|changes|changed|releases?|released|versions?|history|news|upgrad\w+)$/,
  },
  {
    name: "vendored",
    factor: 0.3,
    has: (file) => VENDOR_FOLDER(file) || file.path.startsWith("deps/"),
    askedBy: /^(?:vendor|vendored|third|bundled)$/,
  },
  {
    // A re-export file forwards definitions of other files.
    name: "barrel",
    factor: 0.5,
    has: named(/__init__\.py|package-info\.java/),
    askedBy: /^(?:init|exports?|imports?|re-?exports?|package|public)$/,
  },
  {
    // A declaration file has no implementation.
    name: "declaration",
    factor: 0.7,
    has: named(/.*\.d\.[cm]?ts/),
    askedBy: /^(?:types?|typings?|declarations?|interfaces?)$/,
  },
];

/** A cache for files that recur across searches; about 2 MB when full. */
const REMEMBERED_FILES = 10_000;

const NO_PURPOSES: readonly Purpose[] = [];
/** By their names; files of one kind share a list. */
const knownLists = new Map<string, readonly Purpose[]>();

interface KnownPurposes {
  category?: ChunkFacts["category"];
  purposes: readonly Purpose[];
}

/** With the category that a path had last: it rarely has another. */
const knownPurposes = memoizeRetained(
  (): KnownPurposes => ({ purposes: NO_PURPOSES }),
  REMEMBERED_FILES,
);

export function purposesOf({ path, category }: CategorizedFile): readonly Purpose[] {
  const known = knownPurposes(path);
  if (known.category !== category) {
    known.category = category;
    known.purposes = shared(PURPOSES.filter(({ has }) => has({ path, category })));
  }
  return known.purposes;
}

/** Neither tests, documents and configuration, nor examples, generated and vendored code. */
export function isProductCode(file: CategorizedFile): boolean {
  return file.category === "implementation" && purposesOf(file).length === 0;
}

function shared(purposes: readonly Purpose[]): readonly Purpose[] {
  const names = namesOf(purposes);
  const known = knownLists.get(names) ?? purposes;
  knownLists.set(names, known);
  return known;
}

/** The factor that lowers a file, and the names of the purposes behind it. */
interface Lowering {
  readonly factor: number;
  readonly names: string;
}

export function loweringOf(
  purposes: readonly Purpose[],
  factorOf: (purpose: Purpose) => number = ({ factor }) => factor,
): Lowering {
  const factor = purposes.reduce((product, each) => product * factorOf(each), 1);
  return { factor, names: namesOf(purposes) };
}

function namesOf(purposes: readonly Purpose[]): string {
  return purposes.map(({ name }) => name).join(", ");
}

/** Lowers each hit by the factor that `of` returns for its file; calls `of` once per file. */
export function lowerFiles(
  hits: readonly Ranked[],
  of: (file: CategorizedFile) => Lowering,
): readonly Ranked[] {
  numberFiles(hits);
  const lowerings: Lowering[] = [];
  for (const hit of hits) {
    const { factor, names } = (lowerings[hit.file] ??= of(hit.facts));
    rescore(hit, hit.score * factor, "fileCategory", names);
  }
  return hits;
}

/** Puts tests, examples, documents and generated files below the implementation, unless the query asks for their kind. */
export const fileCategory: Boost = {
  name: "fileCategory",
  apply: (hits, { query }) => {
    const factors = new Map(PURPOSES.map((each) => [each, factorFor(each, query)]));
    const factorOf = (purpose: Purpose) => factors.get(purpose) ?? 1;
    const frameFile = fileOfOnlyFrame(query, hits);
    const lowerings = new Map<readonly Purpose[], Lowering>();
    return lowerFiles(hits, (file) => {
      const purposes = file.path === frameFile ? NO_PURPOSES : purposesOf(file);
      return getOrCreate(lowerings, purposes, () =>
        loweringOf(
          purposes.filter((each) => factorOf(each) < 1),
          factorOf,
        ),
      );
    });
  },
};

/** A query that is one line of a trace asks for its file, of any category. */
function fileOfOnlyFrame({ frames }: Query, hits: readonly Ranked[]): string | undefined {
  if (frames.length !== 1) return undefined;
  const [match, ...others] = matchFrames(frames, new Set(hits.map(({ facts }) => facts.path)));
  return others.length === 0 ? match?.file : undefined;
}

/** 1 if the query asks for such files. */
function factorFor({ factor, askedBy, isAskedIn }: Purpose, query: Query): number {
  const { plainWords, filters, terms, text } = query;
  if (filters.paths.length > 0) return 1;
  if (!plainWords.some((word) => askedBy.test(word))) return factor;
  const isAsked =
    isAskedIn === undefined || isAskedIn(text) || terms.some((each) => isAskedIn(each));
  return isAsked ? 1 : Math.max(factor, MENTIONED);
}
