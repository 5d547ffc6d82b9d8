/** Answers of callers and callees that a test made up. */

import type { CallSite, CallsAnswer } from "../../server/contracts/graph-requests.ts";

/** The whole list, or its beginning where there are more. */
export const callsOf = (calls: readonly CallSite[], total = calls.length): CallsAnswer => ({
  calls,
  total,
});
