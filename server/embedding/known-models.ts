/** What is known of models by their names: the task prefixes that their cards require, and how much text they take. */

export interface KnownModel {
  /** Put before what is stored. */
  readonly document: string;
  /** Put before what is asked. */
  readonly query: string;
  /**
   * Characters that surely fit into the context: two a token. Code has three to four, prose four; what has
   * fewer (base64, scripts with a token a letter) is cut by Ollama, and shortened for services that refuse it.
   */
  readonly characters: number;
}

interface Entry extends Partial<KnownModel> {
  readonly is: RegExp;
  /** The model's context. */
  readonly tokens: number;
}

const SEARCH_PASSAGES = "Represent this sentence for searching relevant passages: ";

/** The first that fits holds. Prefixes and contexts are those of the model cards, under the names of Ollama and Hugging Face. */
const MODELS: readonly Entry[] = [
  {
    is: /nomic-embed-text-v2/,
    document: "search_document: ",
    query: "search_query: ",
    tokens: 512,
  },
  // Trained at 8192; Ollama serves it at 2048.
  { is: /nomic-embed-text/, document: "search_document: ", query: "search_query: ", tokens: 2048 },
  {
    is: /coderankembed|nomic-embed-code/,
    query: "Represent this query for searching relevant code: ",
    tokens: 2048,
  },
  { is: /e5-mistral/, query: "Instruct: Find the code that answers\nQuery: ", tokens: 4096 },
  { is: /(^|[/-])e5-/, document: "passage: ", query: "query: ", tokens: 512 },
  { is: /bge-(small|base|large)-en|mxbai-embed/, query: SEARCH_PASSAGES, tokens: 512 },
  { is: /arctic-embed(-l-v2|-m-v2|2)/, query: "query: ", tokens: 8192 },
  { is: /arctic-embed/, query: SEARCH_PASSAGES, tokens: 512 },
  {
    is: /embeddinggemma/,
    document: "title: none | text: ",
    query: "task: code retrieval | query: ",
    tokens: 2048,
  },
  {
    is: /qwen3-embedding/,
    query: "Instruct: Given a question, find the code that answers it\nQuery:",
    tokens: 8192,
  },
  { is: /all-minilm|paraphrase-/, tokens: 256 },
  { is: /text-embedding-3|text-embedding-ada|voyage|jina|codestral|bge-m3/, tokens: 8192 },
];

const UNKNOWN_TOKENS = 2048;
const CHARACTERS_A_TOKEN = 2;

export function knownModel(name: string): KnownModel {
  const found = MODELS.find(({ is }) => is.test(name.toLowerCase()));
  const { document = "", query = "", tokens = UNKNOWN_TOKENS } = found ?? {};
  return { document, query, characters: tokens * CHARACTERS_A_TOKEN };
}
