/** The first paragraph of a message that a person wrote. */

import { expect, it } from "vitest";
import { firstParagraph } from "../../server/history/trailers.ts";

it.each([
  ["", ""],
  ["One\nand two.\n\nThree.", "One\nand two."],
  ["Signed-off-by: Ada <a@b>\n", ""],
  ["Co-authored-by: Ada <a@b>\n\nWhy it is so.\n\nMore.", "Why it is so."],
  ["Why it is so.\nReviewed-by: Ada", "Why it is so."],
  ["Why\r\nit is so.\r\n\r\nMore.\r\n", "Why\nit is so."],
])("of %j", (body, paragraph) => expect(firstParagraph(body)).toBe(paragraph));
