/** The commands that show a text: history, explain and context. */

import { join } from "node:path";
import { BadRequest, isSystemError } from "../common/errors.ts";
import { readBytes, readFileAt } from "../common/read-file.ts";
import { splitLines } from "../common/text.ts";
import type { CommitHit, ShapingCommit } from "../contracts/history-request.ts";
import type { Lines } from "../contracts/model.ts";
import { type Command, commandFor, fileIn, linesIn, questionIn } from "./command.ts";
import { toContextResponse } from "./context.ts";
import { toFoundHistory } from "./history.ts";
import { afterAnswer, choose, MAX_CHOICES, numbered, showText } from "./offer.ts";
import type { ServerContext } from "./server-context.ts";

/** Searches commits; the user chooses one, and its diff is shown. */
const history = commandFor(
  'cocosearch.history needs a question, such as "when were retries added"',
  questionIn,
  async (context, query, signal) => {
    const session = await context.workspace.session();
    context.documents.flush(session);
    const answer = await session.history({ query, patch: true, limit: MAX_CHOICES }, signal);
    afterAnswer(context, "commits not offered", () => offerCommits(context, query, answer.commits));
    return toFoundHistory(context.folders, answer);
  },
);

async function offerCommits(
  context: ServerContext,
  query: string,
  commits: readonly CommitHit[],
): Promise<void> {
  if (commits.length === 0) return context.notices.show("info", `no commit found for "${query}"`);
  const titles = commits.map(({ subject, age }, index) => numbered(`${subject} (${age})`, index));
  const chosen = await choose(context, `cocosearch: ${query}`, titles);
  const commit = chosen === undefined ? undefined : commits[chosen];
  if (commit === undefined) return;
  await showText(context, `${commit.sha.slice(0, 12)}.diff`, textOfCommit(commit));
}

/** Formatted like the output of `git show`, so that editors highlight it. */
function textOfCommit({ sha, author, age, subject, hunks }: CommitHit): string {
  const head = `commit ${sha}\nAuthor: ${author}\nDate:   ${age}\n\n    ${subject}\n`;
  const parts = hunks.map(({ path, patch }) => `--- a/${path}\n+++ b/${path}\n${patch ?? ""}\n`);
  return [head, ...parts].join("\n");
}

/** The commits that shaped some lines. */
const explain = commandFor(
  'cocosearch.explain needs lines of a file, such as "src/pool.py:10-40"',
  linesIn,
  async (context, { path, lines }, signal) => {
    const file = fileIn(context, path);
    const session = await context.workspace.session();
    context.documents.flush(session);
    const answer = await session.explain({ path: join(file.root, file.path), lines }, signal);
    const title = `# Commits that shaped ${file.path}:${lines.start + 1}-${lines.end + 1}`;
    const parts = answer.commits.map(textOfShaping);
    const text = [title, answer.summary, ...parts].join("\n\n");
    afterAnswer(context, "explanation not shown", () =>
      showText(context, "explain.md", `${text}\n`),
    );
    return answer;
  },
);

function textOfShaping({ sha, subject, patch }: ShapingCommit): string {
  return `## ${sha.slice(0, 10)} ${subject}\n\n\`\`\`\`diff\n${patch}\n\`\`\`\``;
}

/** Packs the code for a question as Markdown. */
const packContext = commandFor(
  'cocosearch.context needs a question, such as "how are errors retried"',
  questionIn,
  async (context, query, signal) => {
    const session = await context.workspace.session();
    context.documents.flush(session);
    const answer = await session.context({ query }, signal);
    afterAnswer(context, "context not shown", async () => {
      if (answer.text === "") return context.notices.show("info", `nothing found for "${query}"`);
      await showText(context, "context.md", answer.text);
    });
    return toContextResponse(context.folders, answer);
  },
);

export const TEXT_COMMANDS: Readonly<Record<string, Command>> = {
  "cocosearch.history": history,
  "cocosearch.explain": explain,
  "cocosearch.context": packContext,
};

/** The text of some lines, from the open buffer if there is one. */
export async function textOfLines(
  context: ServerContext,
  path: unknown,
  lines: Lines,
): Promise<string> {
  const { documents, folders } = context;
  const file = fileIn(context, path);
  const shown = folders.toClient(file.root, file.path);
  const text = documents.text(shown) ?? (await read(shown));
  return splitLines(text)
    .slice(lines.start, lines.end + 1)
    .join("\n");
}

async function read(path: string): Promise<string> {
  try {
    const found = await readFileAt(path, async (file) => (await readBytes(file)).toString());
    if (typeof found === "string") return found;
    throw new BadRequest(`arguments: ${path} cannot be read: ${found.absent}`);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new BadRequest(`arguments: ${path} cannot be read: ${error.message}`, { cause: error });
  }
}
