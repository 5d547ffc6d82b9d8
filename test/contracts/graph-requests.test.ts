/** Validation of the parameters of graph requests. */

import { expect, it } from "vitest";
import {
  parseCallsRequest,
  parseImpactRequest,
  parseRelatedRequest,
} from "../../server/contracts/graph-requests.ts";

it.each([{ paths: ["a.ts"] }, { diff: "" }, { revision: "HEAD~2", depth: 2 }])(
  "parseImpactRequest accepts a change given in one way: %j",
  (request) => {
    expect(parseImpactRequest(request)).toEqual(request);
  },
);

it.each([{}, { paths: ["a.ts"], diff: "" }, { diff: "", revision: "HEAD" }])(
  "parseImpactRequest rejects a change given in no way or in two: %j",
  (request) => {
    expect(() => parseImpactRequest(request)).toThrow("give one of paths, diff and revision");
  },
);

it("The message names the invalid parameter", () => {
  expect(() => parseRelatedRequest({ path: "a.ts", hops: 6 })).toThrow(/^hops: /);
  expect(() => parseCallsRequest(undefined)).toThrow(/^name: /);
});
