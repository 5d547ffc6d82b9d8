/** Parameters of known models by name: task prefixes or input types, and context length. */

import type { EmbeddingDialectName, EmbeddingRole } from "./dialects/dialect.ts";

interface KnownModel {
  /** The prefix of a text of this role. */
  readonly prefixes: Readonly<Record<EmbeddingRole, string>>;
  /** The value of the dialect's task field (such as `input_type`) for a text of this role; undefined without such a field. */
  readonly tasks: Readonly<Record<EmbeddingRole, string>> | undefined;
  /** The model's context. */
  readonly tokens: number;
  /**
   * Characters that fit into the context: two per token. Code has three to four per token, prose four. Denser text
   * (base64, scripts with a token per letter) is truncated by Ollama, and shortened for services that refuse it.
   */
  readonly characters: number;
}

interface Entry {
  readonly name: RegExp;
  /** Only for the service's own dialect: others do not know its field. */
  readonly dialect?: EmbeddingDialectName;
  /** Prefixes; or, with a dialect, the values of its field. */
  readonly document?: string;
  readonly query?: string;
  readonly tokens: number;
}

const SEARCH_PASSAGES = "Represent this sentence for searching relevant passages: ";

/** The first match wins. Prefixes and contexts come from the model cards; names are as on Ollama and Hugging Face. */
const MODELS: readonly Entry[] = [
  { dialect: "voyage", name: /./, document: "document", query: "query", tokens: 32_000 },
  {
    dialect: "cohere",
    name: /embed-v4/,
    document: "search_document",
    query: "search_query",
    tokens: 128_000,
  },
  { dialect: "cohere", name: /./, document: "search_document", query: "search_query", tokens: 512 },
  {
    dialect: "jina",
    name: /code-embeddings/,
    document: "nl2code.passage",
    query: "nl2code.query",
    tokens: 32_000,
  },
  {
    dialect: "jina",
    name: /embeddings-v4/,
    document: "code.passage",
    query: "code.query",
    tokens: 32_000,
  },
  {
    dialect: "jina",
    name: /embeddings-v3/,
    document: "retrieval.passage",
    query: "retrieval.query",
    tokens: 8192,
  },
  {
    name: /nomic-embed-text-v2/,
    document: "search_document: ",
    query: "search_query: ",
    tokens: 512,
  },
  // Trained at 8192; Ollama serves it at 2048.
  {
    name: /nomic-embed-text/,
    document: "search_document: ",
    query: "search_query: ",
    tokens: 2048,
  },
  {
    name: /coderankembed|nomic-embed-code/,
    query: "Represent this query for searching relevant code: ",
    tokens: 2048,
  },
  { name: /e5-mistral/, query: "Instruct: Find the code that answers\nQuery: ", tokens: 4096 },
  { name: /(^|[/-])e5-/, document: "passage: ", query: "query: ", tokens: 512 },
  { name: /bge-(small|base|large)-en|mxbai-embed/, query: SEARCH_PASSAGES, tokens: 512 },
  { name: /arctic-embed(-l-v2|-m-v2|2)/, query: "query: ", tokens: 8192 },
  { name: /arctic-embed/, query: SEARCH_PASSAGES, tokens: 512 },
  {
    name: /embeddinggemma/,
    document: "title: none | text: ",
    query: "task: code retrieval | query: ",
    tokens: 2048,
  },
  {
    name: /qwen3-embedding/,
    query: "Instruct: Given a question, find the code that answers it\nQuery:",
    tokens: 8192,
  },
  { name: /all-minilm|paraphrase-/, tokens: 256 },
  { name: /text-embedding-3|text-embedding-ada|voyage|jina|codestral|bge-m3/, tokens: 8192 },
];

const UNKNOWN_TOKENS = 2048;
const CHARACTERS_PER_TOKEN = 2;

export function knownModel(name: string, dialect: EmbeddingDialectName): KnownModel {
  const found = MODELS.find(
    (entry) =>
      (entry.dialect === undefined || entry.dialect === dialect) &&
      entry.name.test(name.toLowerCase()),
  );
  const { document = "", query = "", tokens = UNKNOWN_TOKENS } = found ?? {};
  const hasField = found?.dialect !== undefined;
  return {
    prefixes: hasField ? { document: "", query: "" } : { document, query },
    tasks: hasField ? { document, query } : undefined,
    tokens,
    characters: tokens * CHARACTERS_PER_TOKEN,
  };
}
