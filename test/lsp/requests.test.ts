/** Parameters of requests of our own. */

import { expect, it } from "vitest";
import { BadRequest } from "../../server/common/errors.ts";
import { filePath, optional, required } from "../../server/lsp/requests.ts";

it("takes the URI of a file, and nothing else", () => {
  expect(filePath("uri", "file:///a/b%20c.ts")).toBe("/a/b c.ts");
  for (const uri of ["untitled:x", "", 5, undefined]) {
    expect(() => filePath("uri", uri)).toThrow(
      new BadRequest("uri: the URI of a file is expected"),
    );
  }
});

it("takes a parameter of its type, or none where it may be left out", () => {
  const params = { full: true, name: "x", nothing: null };
  expect(optional(params, "full", "boolean")).toBe(true);
  expect(required(params, "name", "string")).toBe("x");
  for (const name of ["nothing", "missing"]) {
    expect(optional(params, name, "string")).toBeUndefined();
    expect(() => required(params, name, "string")).toThrow(`${name}: expected a string`);
  }
  expect(optional(undefined, "full", "boolean")).toBeUndefined();
  expect(() => optional(params, "name", "boolean")).toThrow("name: expected a boolean");
});
