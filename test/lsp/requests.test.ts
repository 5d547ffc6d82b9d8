/** Parameters of requests of our own. */

import { expect, it } from "vitest";
import { BadRequest } from "../../server/common/errors.ts";
import { filePath, requiredText } from "../../server/lsp/requests.ts";

it("filePath accepts only file URIs", () => {
  expect(filePath("uri", "file:///a/b%20c.ts")).toBe("/a/b c.ts");
  for (const uri of ["untitled:x", "", 5, undefined]) {
    expect(() => filePath("uri", uri)).toThrow(
      new BadRequest("expected the URI of a file", { parameter: "uri" }),
    );
  }
});

it("requiredText accepts only strings", () => {
  expect(requiredText({ name: "x" }, "name")).toBe("x");
  for (const params of [{ name: null }, { name: 5 }, {}, undefined]) {
    expect(() => requiredText(params, "name")).toThrow(
      new BadRequest("expected a string", { parameter: "name" }),
    );
  }
});
