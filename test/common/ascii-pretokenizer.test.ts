/** The ASCII pre-tokenizer, compared with the regular expression that defines it. */

import { expect, it } from "vitest";
import { endOfAsciiPiece } from "../../server/common/ascii-pretokenizer.ts";
import { random } from "../support/random.ts";

const PIECE =
  /[^\r\nA-Za-z0-9]?[A-Z]*[a-z]+(?:'(?:s|t|re|ve|m|ll|d))?|[^\r\nA-Za-z0-9]?[A-Z]+|[0-9]{1,3}| ?[^\sA-Za-z0-9]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+/g;
const CHARACTERS = "aAzZ09 \t\n\r'/_-.stdmlrve\u0000\u000b\u007f";

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = endOfAsciiPiece(text, at);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

it.each([
  ["HTTPServer's getURL()", ["HTTPServer's", " get", "URL", "()"]],
  ["x = 12345;", ["x", " =", " ", "123", "45", ";"]],
  ["}\n\n    return", ["}\n\n", "   ", " return"]],
  ["// no\r\n", ["//", " no", "\r\n"]],
])("endOfAsciiPiece splits %j", (text, expected) => expect(piecesOf(text)).toEqual(expected));

it("endOfAsciiPiece splits random text like the regular expression", () => {
  const { int, pick } = random(7);
  for (let i = 0; i < 20_000; i++) {
    const text = Array.from({ length: 1 + int(9) }, () => pick(CHARACTERS.split(""))).join("");
    expect(piecesOf(text)).toEqual(text.match(PIECE));
  }
});
