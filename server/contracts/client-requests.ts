/** The parameters of LSP requests that differ from the session's: a file by URI, a place by position. */

import * as z from "zod";
import { contextShape } from "./context-request.ts";
import { relatedShape } from "./graph-requests.ts";
import { parseParameters } from "./parse-parameters.ts";
import { similarShape } from "./similar-request.ts";

const uri = z.string().describe("the URI of a file");
const position = z
  .looseObject({ line: z.number().int().min(0) })
  .describe("a position with a line");
const range = z
  .looseObject({ start: position, end: position })
  .refine(
    ({ start, end }) => start.line <= end.line,
    "an end that is not before the start is expected",
  )
  .describe("a range with a start and an end");

/** With a URI and a position instead of a path and a line. */
const similarPlaceShape = similarShape.omit({ path: true, line: true }).extend({ uri, position });
/** Without `format`, because the answer is Markdown. */
const markdownContextShape = contextShape.omit({ format: true });
/** With `textDocument` instead of `path`. */
const relatedDocumentShape = relatedShape.extend({
  path: relatedShape.shape.path.optional(),
  textDocument: z.looseObject({ uri }).describe("a document with the URI of a file").optional(),
});
const explainPlaceShape = z.strictObject({ uri, range });
const reindexShape = z.strictObject({
  folder: z.string().describe("the URI or path of an open folder").optional(),
  full: z.boolean().optional(),
});
export type ReindexRequest = z.infer<typeof reindexShape>;
const clearShape = z.strictObject({ name: z.string() });

export const parseSimilarPlace = (value: unknown) => parseParameters(similarPlaceShape, value);
export const parseMarkdownContext = (value: unknown) =>
  parseParameters(markdownContextShape, value);
export const parseRelatedDocument = (value: unknown) =>
  parseParameters(relatedDocumentShape, value);
export const parseExplainPlace = (value: unknown) => parseParameters(explainPlaceShape, value);
export const parseReindexRequest = (value: unknown) => parseParameters(reindexShape, value);
export const parseClearRequest = (value: unknown) => parseParameters(clearShape, value);
