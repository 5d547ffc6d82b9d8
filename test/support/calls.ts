/** Answers of callers and callees that a test made up. */

import type { CallSite, CallsAnswer } from "../../server/contracts/graph-requests.ts";

/** The whole list, or its beginning if it is longer than the limit. */
export const callsOf = (calls: readonly CallSite[], total = calls.length): CallsAnswer => ({
  calls,
  total,
});
