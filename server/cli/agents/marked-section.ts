/** Our section in a Markdown file, between two marker lines. */

import { BadRequest } from "../../common/errors.ts";
import { SECTION_TEXT } from "./instructions-text.ts";
import { appendBlock, cutBlock, lineEnding } from "./text-block.ts";

const BEGIN = "<!-- cocosearch:begin -->";
const END = "<!-- cocosearch:end -->";

const SECTION = `${BEGIN}\n${SECTION_TEXT}\n${END}`;

/** A file that holds only our section. */
export function newSectionFile(head: string): string {
  return `${head}${SECTION}\n`;
}

/** Whether the text has our section, in this or another version. Throws BadRequest if a marker is missing or repeated. */
export function hasSection(text: string, shown: string): boolean {
  return findSection(text, shown) !== undefined;
}

export function withSection(text: string, shown: string): string {
  const found = findSection(text, shown);
  if (found === undefined) return appendBlock(text, SECTION);
  const section = SECTION.replaceAll("\n", lineEnding(text));
  return text.slice(0, found.start) + section + text.slice(found.end);
}

/** Undefined if the file holds only our section, in this or another version, as `newSectionFile` creates it. */
export function withoutSection(text: string, head: string, shown: string): string | undefined {
  const found = findSection(text, shown);
  if (found === undefined) return text;
  const renewed = withSection(text, shown).replaceAll("\r\n", "\n");
  return renewed === newSectionFile(head) ? undefined : cutBlock(text, found.start, found.end);
}

function findSection(text: string, shown: string): { start: number; end: number } | undefined {
  const begins = linesEqual(text, BEGIN);
  const ends = linesEqual(text, END);
  const [start] = begins;
  const [end] = ends;
  if (start === undefined && end === undefined) return undefined;
  if (start === undefined || end === undefined || end < start || begins.length + ends.length > 2) {
    const problem = "does not have one of each marker of our section, in this order";
    throw new BadRequest(`${shown} ${problem}: repair or remove ${BEGIN} and ${END} in it`);
  }
  return { start, end: end + END.length };
}

/** The offsets of lines that consist of this text. */
function linesEqual(text: string, line: string): number[] {
  return [...text.matchAll(new RegExp(`^${line}(?=\\r?$)`, "gm"))].map(({ index }) => index);
}
