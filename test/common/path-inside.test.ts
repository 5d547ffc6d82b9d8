/** Which paths are below a folder. */

import { expect, it } from "vitest";
import { isInside, pathInside } from "../../server/common/path-inside.ts";

it.each([
  ["/a", "/a/b.ts", "b.ts"],
  ["/a", "/a/b/c.ts", "b/c.ts"],
  ["/", "/a", "a"],
  // A name may begin with two dots without being the parent folder.
  ["/a", "/a/..b", "..b"],
  ["/a", "/a", undefined],
  ["/a", "/", undefined],
  ["/a", "/ab/c.ts", undefined],
  ["/a/b", "/a/c.ts", undefined],
])("pathInside resolves %s against %s", (root, path, expected) => {
  expect(pathInside(root, path)).toBe(expected);
  expect(isInside(root, path)).toBe(expected !== undefined);
});
