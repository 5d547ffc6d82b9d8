/** Hits in the form of the protocol. */

import { expect, it } from "vitest";
import type { Hit } from "../../server/contracts/model.ts";
import { toFoundHit } from "../../server/lsp/found-hit.ts";

const HIT: Hit = {
  index: "host/acme/shop",
  root: "published:host/acme/shop",
  path: "src/größe a.py",
  lines: { start: 3, end: 5 },
  contextRange: { start: 3, end: 5 },
  score: 0.9,
  relevance: "strong",
  matchType: "both",
  languageId: "python",
};
const PLACE = { repository: "host/acme/shop", commit: "1f0c" };

it("A hit of a published index is at its link, with the path in the repository", () => {
  const link = "https://host/acme/shop/blob/1f0c/src/gr%C3%B6%C3%9Fe%20a.py#L4-L4";
  const { location, published } = toFoundHit(
    { ...HIT, published: { ...PLACE, link } },
    "/never/read",
    "utf-16",
  );
  expect(location.uri).toBe(link);
  expect(published).toEqual({ ...PLACE, link, path: HIT.path });
});

it("Without a link, it has an address that names no file", () => {
  const { location } = toFoundHit({ ...HIT, published: PLACE }, "/never/read", "utf-16");
  expect(location.uri).toBe("published://host/acme/shop/src/gr%C3%B6%C3%9Fe%20a.py");
});

it("A hit of a folder is at its file", () => {
  const found = toFoundHit({ ...HIT, root: "/shop" }, "/shop/a.py", "utf-16");
  expect(found.location.uri).toBe("file:///shop/a.py");
  expect(found).not.toHaveProperty("published");
});
