/** The graph commands: related, impact, path, callers and callees. */

import type { CallSite, ImpactFile, RelatedFile } from "../contracts/graph-requests.ts";
import { type Command, explainUsage, type FileInFolder, fileIn, questionIn } from "./command.ts";
import { toFoundCalls } from "./graph.ts";
import { afterAnswer, offerPlaces, type Place } from "./offer.ts";
import type { ServerContext } from "./server-context.ts";

const MAX_PLACES = 30;

/** The session takes absolute paths. */
const absolute = ({ root, path }: FileInFolder) => `${root}/${path}`;

/** The dependencies and dependents of a file. */
const related: Command = async (context, given, signal) => {
  if (given.length === 0)
    return explainUsage(context, 'cocosearch.related needs a file, such as "src/pool.py"');
  const file = fileIn(context, given[0]);
  const session = await context.workspace.session();
  const answer = await session.related({ path: absolute(file), limit: MAX_PLACES }, signal);
  offer(
    context,
    `related to ${file.path}${outOf(answer.files, answer.total)}`,
    answer.files.map((each) => placeOfFile(context, file.root, each)),
  );
  return answer;
};

/** Files that a change may affect: of the given files, or of the files that differ from a revision. */
const impact: Command = async (context, given, signal) => {
  if (given.length === 0)
    return explainUsage(
      context,
      'cocosearch.impact needs files, such as "src/pool.py", or "--diff" with a revision',
    );
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
};

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
const path: Command = async (context, given, signal) => {
  if (given.length !== 2)
    return explainUsage(context, 'cocosearch.path needs two files, such as "src/a.py" "src/b.py"');
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
};

const callers: Command = async (context, given, signal) => {
  const name = questionIn(given);
  if (name === undefined)
    return explainUsage(context, 'cocosearch.callers needs a name, such as "Pool.open"');
  const session = await context.workspace.session();
  const answer = await session.callers({ name, limit: MAX_PLACES }, signal);
  const title = (site: CallSite) => `${site.caller || "top level"} - ${site.path}:${site.line + 1}`;
  offer(
    context,
    `callers of ${name}${outOf(answer.calls, answer.total)}`,
    answer.calls.map((site) => ({
      title: title(site),
      path: nameOf(context, site.root, site.path),
      line: site.line,
    })),
  );
  return toFoundCalls(context.folders, answer);
};

const callees: Command = async (context, given, signal) => {
  const name = questionIn(given);
  if (name === undefined)
    return explainUsage(context, 'cocosearch.callees needs a name, such as "Pool.open"');
  const session = await context.workspace.session();
  const answer = await session.callees({ name, limit: MAX_PLACES }, signal);
  const places = answer.calls.map(({ root, target }) => ({
    title: `${target.name} - ${target.path}:${target.line + 1}`,
    path: nameOf(context, root, target.path),
    line: target.line,
  }));
  offer(context, `callees of ${name}${outOf(answer.calls, answer.total)}`, places);
  return toFoundCalls(context.folders, answer);
};

export const GRAPH_COMMANDS: Readonly<Record<string, Command>> = {
  "cocosearch.related": related,
  "cocosearch.impact": impact,
  "cocosearch.path": path,
  "cocosearch.callers": callers,
  "cocosearch.callees": callees,
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
