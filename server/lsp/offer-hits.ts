/** Lets the user choose among hits where only the server can show a list, and goes to what was chosen. */

import type { Hit } from "../contracts/model.ts";
import type { RelatedToHits, SearchAnswer } from "../contracts/session.ts";
import { cursorOf, focusOf } from "./found-hit.ts";
import { choose, MAX_CHOICES, numbered, showFile } from "./offer.ts";
import type { ServerContext } from "./server-context.ts";

/** A title of a list is one line; a bug report is known by its first. */
const MAX_TITLE_LENGTH = 200;

type Found = Pick<SearchAnswer, "hits" | "related" | "state" | "indexed" | "total" | "warnings">;

export async function offerHits(
  context: ServerContext,
  query: string,
  answer: Found,
): Promise<void> {
  const hits = answer.hits.filter(({ relevance }) => relevance !== "chance").slice(0, MAX_CHOICES);
  if (hits.length === 0) return context.notices.show("info", nothingFound(query, answer));
  const related = (answer.related ?? []).slice(0, MAX_CHOICES - hits.length);
  const titles = [
    ...hits.map(titleOf),
    ...related.map((file, index) => titleOfRelated(file, hits.length + index)),
  ];
  const asked = firstLine(query);
  const remarks = remarksOn(answer);
  const question = ["cocosearch", [asked, ...remarks].join(" · ")].join(": ");
  // A list says it in its title.
  const isOne = titles.length === 1;
  if (isOne && remarks.length > 0) context.notices.show("info", remarks.join("; "));
  const chosen = isOne ? 0 : await choose(context, question, titles);
  if (chosen === undefined) return;
  const [hit, file] = [hits[chosen], related[chosen - hits.length]];
  if (hit !== undefined && (await goTo(context, hit))) return;
  if (file !== undefined && (await goToRelated(context, file))) return;
  context.notices.show("info", [asked, ...titles].join("\n"));
}

function goTo(context: ServerContext, hit: Hit): Promise<boolean> {
  const { line, character } = cursorOf(hit, context.client().encoding).start;
  return showFile(context, context.folders.toClient(hit.root, hit.path), line, character);
}

/** The line that says how it is related, where that is in the file itself. */
function goToRelated(context: ServerContext, file: RelatedToHits): Promise<boolean> {
  const { root, path, dependent, line } = file;
  return showFile(context, context.folders.toClient(root, path), dependent ? line : 0);
}

function titleOfRelated({ path, via, dependent }: RelatedToHits, index: number): string {
  return numbered(`${path} - related: ${dependent ? "uses" : "used by"} ${via}`, index);
}

function firstLine(query: string): string {
  return (query.trim().split("\n", 1)[0] ?? "").slice(0, MAX_TITLE_LENGTH);
}

function titleOf(hit: Hit, index: number): string {
  const name = hit.symbol?.name ?? hit.hierarchy;
  const place = `${hit.path}:${focusOf(hit) + 1}`;
  return numbered(`${name === undefined ? "" : `${name} - `}${place}`, index);
}

/** What is to be known of the whole answer. */
function remarksOn({ state, indexed, total, warnings }: Found): string[] {
  const early = state === "indexing" ? [`${indexed} of ${total} files are indexed so far`] : [];
  return [...early, ...warnings].map((remark) => remark.slice(0, MAX_TITLE_LENGTH));
}

function nothingFound(query: string, { state, indexed, total, warnings }: Found): string {
  const [because] = warnings;
  if (state === "unavailable" && because !== undefined) return because;
  const sofar = state === "indexing" ? ` so far, with ${indexed} of ${total} files indexed` : "";
  const reason = because === undefined ? "" : `: ${because}`;
  return `nothing found for "${firstLine(query)}"${sofar}${reason}`;
}
