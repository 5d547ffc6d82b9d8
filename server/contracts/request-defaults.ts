/** The default parameters of requests: one table for the engine, the help of commands and the protocol documentation. */

/** The maximum `limit` of a list of the graph, which bounds the size of an answer. */
export const MAX_LIMIT = 1000;

export const REQUEST_DEFAULTS = {
  related: { hops: 1, limit: 30 },
  impact: { depth: 3, limit: 30 },
  calls: { limit: 100 },
  history: { limit: 10 },
  expand: { hops: 1, limit: 10 },
} as const;
