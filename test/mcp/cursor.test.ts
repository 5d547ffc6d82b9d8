/** Cursors: valid for the same call only, and aware of a changed index. */

import { expect, it } from "vitest";
import type { Status } from "../../server/contracts/session.ts";
import { Pages } from "../../server/mcp/cursor.ts";
import { INDEX, STATUS } from "../cli/run-cli.ts";

const CALL: Readonly<Record<string, unknown>> = { query: "pool", limit: 10, paths: undefined };
const ROOTS = ["/code/shop"];
const at = (generation: string): Status => ({ ...STATUS, indexes: [{ ...INDEX, generation }] });

const pages = (cursor?: string, { tool = "search_code", roots = ROOTS, call = CALL } = {}) =>
  new Pages(tool, roots, { ...call }, cursor);

/** The cursor after ten results of the first page. */
function next(more = 5, shown = 10): string | undefined {
  return pages().between(at("1"), at("1")).after(shown, more).cursor;
}

it("A cursor continues the list where the page ended", () => {
  expect(pages().offset).toBe(0);
  const cursor = next() ?? "";
  expect(cursor.length).toBeLessThan(30);
  const second = pages(cursor);
  expect(second.offset).toBe(10);
  const third = second.between(at("1"), at("1")).after(7, 3);
  expect(third.more).toBe(3);
  expect(pages(third.cursor).offset).toBe(17);
});

it("The last page has no cursor, nor has a page without room for a result", () => {
  expect(next(0)).toBeUndefined();
  expect(next(5, 0)).toBeUndefined();
  expect(next(5, 1_000)).toBeUndefined();
});

it("A page says that the index changed since the page before", () => {
  const second = pages(next());
  expect(second.between(at("1"), at("1"))).toMatchObject({ notes: [], flags: {} });
  const changed = second.between(at("1"), at("2"));
  expect(changed.flags).toEqual({ indexChanged: true });
  expect(changed.notes.join()).toContain("the index changed since the page before");
  const restarted = { ...at("1"), engine: { ...STATUS.engine, startedAt: "later" } };
  expect(second.between(restarted, restarted).flags).toEqual({ indexChanged: true });
});

it("A change during the first page is seen on the second", () => {
  const { cursor } = pages().between(at("1"), at("2")).after(10, 5);
  expect(pages(cursor).between(at("2"), at("2")).flags).toEqual({ indexChanged: true });
});

it("A parameter that is undefined counts as missing, in any order", () => {
  expect(pages(next(), { call: { limit: 10, query: "pool" } }).offset).toBe(10);
});

it.each<[string, (cursor: string) => Pages]>([
  ["of another query", (cursor) => pages(cursor, { call: { ...CALL, query: "pools" } })],
  ["of another limit", (cursor) => pages(cursor, { call: { ...CALL, limit: 11 } })],
  ["of another tool", (cursor) => pages(cursor, { tool: "related" })],
  ["of other roots", (cursor) => pages(cursor, { roots: ["/code/other"] })],
  ["with another offset", (cursor) => pages(cursor.replace(/^10/, "20"))],
  ["that is cut", (cursor) => pages(cursor.slice(0, -1))],
  ["that is not one", () => pages("next")],
  ["that is empty", () => pages("")],
])("A cursor %s is refused", (_name, read) => {
  expect(() => read(next() ?? "")).toThrow(/^cursor: it is not from an answer to the same call; /);
});
