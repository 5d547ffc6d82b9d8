/** Cursors: where the next page of a list begins. A cursor is valid for the same call only, and notices a changed index. */

import { createHash } from "node:crypto";
import { BadRequest } from "../common/errors.ts";
import { MAX_LIMIT } from "../contracts/request-defaults.ts";
import type { Status } from "../contracts/session.ts";
import type { MoreResults } from "./answers.ts";

/** Changes with the meaning of a cursor, so that one of another version is refused. */
const FORMAT = "1";

const CHANGED_NOTE = "the index changed since the page before: results may repeat or be missing";

interface Page {
  /** The number of results on the pages before. */
  readonly offset: number;
  /** The state of the index when the page before was made; undefined for the first page. */
  readonly generation?: string;
}

type IndexState = Pick<Status, "indexes" | "engine">;

/** The pages of a list. Throws BadRequest for a cursor of another call. */
export class Pages {
  readonly offset: number;
  readonly #key: string;
  readonly #generation: string | undefined;

  constructor(
    tool: string,
    roots: readonly string[],
    parameters: Readonly<Record<string, unknown>>,
    cursor: string | undefined,
  ) {
    this.#key = callKey(tool, roots, parameters);
    const page = readCursor(this.#key, cursor);
    this.offset = page.offset;
    this.#generation = page.generation;
  }

  /** The state of the index before and after the list was read. */
  between(before: IndexState, after: IndexState) {
    const isChanged = this.#generation !== undefined && this.#generation !== generationOf(after);
    const generation = generationOf(before);
    return {
      notes: isChanged ? [CHANGED_NOTE] : [],
      flags: isChanged ? { indexChanged: true } : {},
      /** After `shown` results of this page, `more` follow. */
      after: (shown: number, more: number): MoreResults => {
        const offset = this.offset + shown;
        const isPage = shown > 0 && more > 0 && offset < MAX_LIMIT;
        return isPage ? { more, cursor: writeCursor(this.#key, { offset, generation }) } : { more };
      },
    };
  }
}

/** Identifies a call: the tool, the roots, and the parameters that the list depends on. */
function callKey(
  tool: string,
  roots: readonly string[],
  parameters: Readonly<Record<string, unknown>>,
): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return digest([FORMAT, tool, roots, given.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

/** For example `10-Xk3v9QmA-b7_0cD2e`: about ten tokens. */
function writeCursor(key: string, { offset, generation = "" }: Page): string {
  return `${offset}-${generation}-${digest([key, offset, generation])}`;
}

/** The first page without a cursor. Throws BadRequest for a cursor that is not from an answer to the same call. */
function readCursor(key: string, cursor: string | undefined): Page {
  if (cursor === undefined) return { offset: 0 };
  const [, offset = "", generation] = /^(\d{1,9})-([\w-]{8})-[\w-]{8}$/.exec(cursor) ?? [];
  if (generation !== undefined) {
    const page = { offset: Number(offset), generation };
    if (writeCursor(key, page) === cursor) return page;
  }
  throw new BadRequest(
    "it is not from an answer to the same call; repeat the call with all its parameters, or leave the cursor out",
    { parameter: "cursor" },
  );
}

/** Another text after each change of the index, and after a restart of the engine. */
function generationOf({ indexes, engine }: IndexState): string {
  return digest([engine.startedAt, indexes.map(({ root, generation }) => [root, generation])]);
}

/** Eight characters: no secret, but another call does not fit by chance. */
function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 8);
}
