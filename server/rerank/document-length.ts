/** Cuts documents so that a question and a document together fit into the context of a reranking model. */

/** Models that take more or less than the rest, by the length of question and document together in tokens. */
const CONTEXTS: readonly (readonly [RegExp, number])[] = [
  [/bge-reranker-(base|large)|ms-marco|minilm|jina-reranker-v1|mxbai-rerank-[a-z]+-v1/i, 512],
  [/jina-reranker-v2/i, 1024],
  [/rerank-v3\.5|rerank-(english|multilingual)-v3/i, 4096],
];
const DEFAULT_CONTEXT = 2048;
/** Code has three to four characters per token, so a text truncated at two always fits. */
const CHARACTERS_PER_TOKEN = 2;

/** The documents, cut where needed; never in half a character. */
export function fittingDocuments(
  documents: readonly string[],
  query: string,
  model: string,
): string[] {
  const length = maxDocumentLength(model, query);
  return documents.map((text) => shortened(text, length));
}

function maxDocumentLength(model: string, query: string): number {
  const tokens = CONTEXTS.find(([name]) => name.test(model))?.[1] ?? DEFAULT_CONTEXT;
  const all = tokens * CHARACTERS_PER_TOKEN;
  return Math.max(all / 2, all - query.length);
}

function shortened(text: string, length: number): string {
  const isInsidePair = /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return text.slice(0, isInsidePair ? length - 1 : length);
}
