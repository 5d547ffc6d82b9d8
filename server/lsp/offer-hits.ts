/** Offers hits as a list of choices, for editors without a list of their own, and opens the chosen hit. */

import type { Hit } from "../contracts/model.ts";
import type { RelatedToHits, SearchAnswer } from "../contracts/session.ts";
import { cursorOf, focusOf } from "./found-hit.ts";
import { choose, MAX_CHOICES, numbered, showFile, showLink } from "./offer.ts";
import type { ServerContext } from "./server-context.ts";

/** The title of the list is the first line of the query, cut to this length. */
const MAX_TITLE_LENGTH = 200;

type OfferedAnswer = Pick<
  SearchAnswer,
  "hits" | "related" | "state" | "indexed" | "total" | "warnings"
>;

export async function offerHits(
  context: ServerContext,
  query: string,
  answer: OfferedAnswer,
): Promise<void> {
  const hits = answer.hits.filter(({ relevance }) => relevance !== "chance").slice(0, MAX_CHOICES);
  if (hits.length === 0) return context.notices.show("info", nothingFound(query, answer));
  const related = (answer.related ?? []).slice(0, MAX_CHOICES - hits.length);
  const titles = [
    ...hits.map(definitionTitle),
    ...related.map((file, index) => titleOfRelated(file, hits.length + index)),
  ];
  const title = firstLine(query);
  const remarks = remarksOn(answer);
  const question = ["cocosearch", [title, ...remarks].join(" · ")].join(": ");
  // With several choices, the title of the list contains the remarks.
  const isOne = titles.length === 1;
  if (isOne && remarks.length > 0) context.notices.show("info", remarks.join("; "));
  const chosen = isOne ? 0 : await choose(context, question, titles);
  if (chosen === undefined) return;
  const [hit, file] = [hits[chosen], related[chosen - hits.length]];
  if (hit !== undefined && (await goTo(context, hit))) return;
  if (file !== undefined && (await goToRelated(context, file))) return;
  context.notices.show("info", [title, ...titles].join("\n"));
}

async function goTo(context: ServerContext, hit: Hit): Promise<boolean> {
  const { published } = hit;
  if (published !== undefined)
    return published.link !== undefined && (await showLink(context, published.link));
  const { line, character } = cursorOf(hit, context.client().encoding).start;
  return await showFile(context, context.folders.toClient(hit.root, hit.path), line, character);
}

/** Goes to the line of the edge if it is in this file, else to the top. */
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

function definitionTitle(hit: Hit, index: number): string {
  const name = hit.symbol?.name ?? hit.hierarchy;
  const above = hit.published === undefined ? "" : `${hit.published.repository}/`;
  const place = `${above}${hit.path}:${focusOf(hit) + 1}`;
  return numbered(`${name === undefined ? "" : `${name} - `}${place}`, index);
}

/** Remarks on the completeness of the answer. */
function remarksOn({ state, indexed, total, warnings }: OfferedAnswer): string[] {
  const early = state === "indexing" ? [`${indexed} of ${total} files are indexed so far`] : [];
  return [...early, ...warnings].map((remark) => remark.slice(0, MAX_TITLE_LENGTH));
}

function nothingFound(query: string, { state, indexed, total, warnings }: OfferedAnswer): string {
  const [because] = warnings;
  if (state === "unavailable" && because !== undefined) return because;
  const sofar = state === "indexing" ? ` so far, with ${indexed} of ${total} files indexed` : "";
  const reason = because === undefined ? "" : `: ${because}`;
  return `nothing found for "${firstLine(query)}"${sofar}${reason}`;
}
