/** The graph commands: related, impact, path, callers and callees. */

import type { CallSite, ImpactFile, RelatedFile } from "../contracts/graph-requests.ts";
import {
  atLeast,
  type Command,
  commandFor,
  type FileInFolder,
  fileIn,
  questionIn,
} from "./command.ts";
import { toFoundCalls } from "./graph.ts";
import { afterAnswer, offerPlaces, type Place } from "./offer.ts";
import type { ServerContext } from "./server-context.ts";

const MAX_PLACES = 30;

/** The session takes absolute paths. */
const absolute = ({ root, path }: FileInFolder) => `${root}/${path}`;

/** The dependencies and dependents of a file. */
const related = commandFor(
  'cocosearch.related needs a file, such as "src/pool.py"',
  atLeast(1),
  async (context, [given], signal) => {
    const file = fileIn(context, given);
    const session = await context.workspace.session();
    const answer = await session.related({ path: absolute(file), limit: MAX_PLACES }, signal);
    offer(
      context,
      `related to ${file.path}${outOf(answer.files, answer.total)}`,
      answer.files.map((each) => placeOfFile(context, file.root, each)),
    );
    return answer;
  },
);

/** Files that a change may affect: of the given files, or of the files that differ from a revision. */
const impact = commandFor(
  'cocosearch.impact needs files, such as "src/pool.py", or "--diff" with a revision',
  atLeast(1),
  async (context, given, signal) => {
    const { subject, root, title } = impactSubject(context, given);
    const session = await context.workspace.session();
    const answer = await session.impact({ ...subject, limit: MAX_PLACES }, signal);
    const tests = answer.tests.map((path) => ({
      title: `${path} - test`,
      path: nameOf(context, root, path),
      line: 0,
    }));
    const others = answer.files
      .filter(({ path }) => !answer.tests.includes(path))
      .map((each) => placeOfImpact(context, root, each));
    const shown = `${outOf(answer.files, answer.total)}${outOf(answer.tests, answer.testsTotal, "tests")}`;
    offer(context, `may be affected by a change of ${title}${shown}`, [...others, ...tests]);
    return answer;
  },
);

function impactSubject(context: ServerContext, given: readonly unknown[]) {
  const [option, revision = "HEAD"] = given;
  const [first] = context.folders.roots;
  if (option === "--diff" && typeof revision === "string" && first !== undefined) {
    return {
      subject: { revision, root: first },
      root: first,
      title: `the files that differ from ${revision}`,
    };
  }
  const files = given.map((each) => fileIn(context, each));
  const title = files.map(({ path }) => path).join(", ");
  return { subject: { paths: files.map(absolute) }, root: files[0]?.root ?? "", title };
}

/** The shortest dependency path between two files. */
const pathBetween = commandFor(
  'cocosearch.path needs two files, such as "src/a.py" "src/b.py"',
  (given) => (given.length === 2 ? given : undefined),
  async (context, given, signal) => {
    const [from, to] = given.map((each) => fileIn(context, each)) as [FileInFolder, FileInFolder];
    const session = await context.workspace.session();
    const files = await session.dependencyPath({ from: absolute(from), to: absolute(to) }, signal);
    const places = files.map((each) => ({
      title: each,
      path: nameOf(context, from.root, each),
      line: 0,
    }));
    offer(context, `from ${from.path} to ${to.path}`, places);
    return { files };
  },
);

/** The place and the name at the other end of a call. */
const OTHER_ENDS = {
  callers: ({ caller, path, line }: CallSite) => ({ name: caller || "top level", path, line }),
  callees: ({ target }: CallSite) => target,
} as const;

const callsCommand = (direction: keyof typeof OTHER_ENDS): Command =>
  commandFor(
    `cocosearch.${direction} needs a name, such as "Pool.open"`,
    questionIn,
    async (context, query, signal) => {
      const session = await context.workspace.session();
      const answer = await session[direction]({ name: query, limit: MAX_PLACES }, signal);
      const places = answer.calls.map((site) => {
        const { name, path: file, line } = OTHER_ENDS[direction](site);
        const title = `${name} - ${file}:${line + 1}`;
        return { title, path: nameOf(context, site.root, file), line };
      });
      offer(context, `${direction} of ${query}${outOf(answer.calls, answer.total)}`, places);
      return toFoundCalls(context.folders, answer);
    },
  );

export const GRAPH_COMMANDS: Readonly<Record<string, Command>> = {
  "cocosearch.related": related,
  "cocosearch.impact": impact,
  "cocosearch.path": pathBetween,
  "cocosearch.callers": callsCommand("callers"),
  "cocosearch.callees": callsCommand("callees"),
};

/** ` (30 of 45)` for a truncated list. */
function outOf(shown: readonly unknown[], total: number, what = ""): string {
  return shown.length < total ? ` (${`${shown.length} of ${total} ${what}`.trimEnd()})` : "";
}

function offer(context: ServerContext, message: string, places: readonly Place[]): void {
  afterAnswer(context, "places not offered", () => offerPlaces(context, message, places));
}

function nameOf({ folders }: ServerContext, root: string, file: string): string {
  return folders.toClient(root, file);
}

/** The line of the edge is in the dependent file. */
function placeOfFile(context: ServerContext, root: string, file: RelatedFile): Place {
  const { dependent, line, via } = file;
  const title = `${file.path} - ${dependent ? "uses" : "used by"} ${via}:${line + 1}`;
  return { title, path: nameOf(context, root, file.path), line: dependent ? line : 0 };
}

function placeOfImpact(context: ServerContext, root: string, file: ImpactFile): Place {
  if ("via" in file) return placeOfFile(context, root, file);
  return {
    title: `${file.path} - ${file.reason === "name" ? "similar name" : "changed together"}`,
    path: nameOf(context, root, file.path),
    line: 0,
  };
}
