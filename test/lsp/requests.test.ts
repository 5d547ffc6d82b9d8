/** Parameters of requests of our own. */

import { expect, it } from "vitest";
import { BadRequest } from "../../server/common/errors.ts";
import { filePath, requiredText } from "../../server/lsp/requests.ts";

it("takes the URI of a file, and nothing else", () => {
  expect(filePath("uri", "file:///a/b%20c.ts")).toBe("/a/b c.ts");
  for (const uri of ["untitled:x", "", 5, undefined]) {
    expect(() => filePath("uri", uri)).toThrow(
      new BadRequest("the URI of a file is expected", { parameter: "uri" }),
    );
  }
});

it("takes a parameter that is a text, and nothing else", () => {
  expect(requiredText({ name: "x" }, "name")).toBe("x");
  for (const params of [{ name: null }, { name: 5 }, {}, undefined]) {
    expect(() => requiredText(params, "name")).toThrow(
      new BadRequest("a text is expected", { parameter: "name" }),
    );
  }
});
