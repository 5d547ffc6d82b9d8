/** The literals of a query. */

import { describe, expect, it } from "vitest";
import { literalsOf } from "../../../server/search/literal/literals.ts";
import { parseQuery } from "../../../server/search/query/query.ts";

const read = (text: string) => literalsOf(parseQuery(text, () => undefined));

describe("the whole query", () => {
  const check = (query: string, text: string) =>
    expect(read(query)).toMatchObject({ exact: [{ text, role: "whole" }], messages: [] });
  it.each([
    ["max.poll.interval.ms", "max.poll.interval.ms"],
    ["--no-verify", "--no-verify"],
    ["/api/v1/rules", "/api/v1/rules"],
    ["GIT_TRACE2", "GIT_TRACE2"],
    ["std::move", "std::move"],
    ["save!", "save!"],
    ["step'", "step'"],
    ["'step'", "step"],
    ["getUser(", "getUser"],
    ["cookie-store,", "cookie-store"],
    ['"expectCall"', "expectCall"],
    ['"connection refused by peer"', "connection refused by peer"],
  ])("%s is one literal", (query, text) => check(query, text));
});

describe("a sentence", () => {
  const check = (query: string, ...texts: readonly string[]) =>
    expect(read(query).exact.map(({ role, text }) => `${role} ${text}`)).toEqual(texts);
  it("has its quoted phrases and the tokens that code writes", () =>
    check(
      'what does --no-verify do to "the commit hook" in getUser',
      "quoted the commit hook",
      "part --no-verify",
      "part getUser",
    ));
  it("has no literals in prose", () => check("how is an e.g. and/or pre-set value of 10-20 read?"));
  it("takes one quoted word for a word", () => check('who calls "save" here'));
});

describe("running text", () => {
  const check = (query: string, ...marked: readonly string[]) =>
    expect(
      read(query).messages.map(({ tokens, isValue }) =>
        tokens.map((token, i) => (isValue[i] ? `<${token}>` : token)).join(" "),
      ),
    ).toEqual(marked);
  it("has its numbers, paths and quoted words marked as values", () =>
    check(
      "cannot open main.cfg: line 42 of 'alpha' is broken",
      "cannot open <main> <cfg> line <42> of <alpha> is broken",
      "line <42> of <alpha> is broken",
    ));
  it("begins after the prefix that programs write before a message", () =>
    check("12:30:01 [main] error: could not open the file", "could not open the file"));
  it("is read line by line, without the frames of a trace", () =>
    check(
      "Error: the pool is closed\n    at Pool.take (src/pool.ts:10:5)\nit was closed twice",
      "the pool is closed",
      "it was closed twice",
    ));
  it.each([
    "#3      BaseClient.readBytes (package:http/src/base_client.dart:57:5)",
    "#0 /srv/app/users.php(12): Users->load()",
    "#1  0x00401136 in load (id=1) at ../src/users.c:3",
  ])("is not in the numbered frame %s", (frame) => check(frame));
  it("is in the title of a numbered issue", () =>
    check("#12 could not open the file", "12 could not open the file"));
  it("is also read by its long clauses", () =>
    check(
      "repository x: unable to open config file: stat /srv/x: no such file or directory",
      "repository x unable to open config file stat <srv> <x> no such file or directory",
      "unable to open config file",
      "no such file or directory",
    ));
  it("needs three tokens", () => check("connection refused"));
});
