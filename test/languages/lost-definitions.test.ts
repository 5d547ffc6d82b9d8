/** Definitions inside syntax errors: found by patterns, qualified by their scopes. */

import { expect, it } from "vitest";
import { createLanguages } from "../../server/languages/languages.ts";

const languages = createLanguages();

async function check(languageId: string, text: string, expected: readonly string[]): Promise<void> {
  const found = await languages.withSyntax(text, languageId, ({ definitions, health }) => [
    health.status,
    ...definitions.map(
      ({ symbol: { type, name, lines } }) => `${type} ${name} ${lines.start + 1}-${lines.end + 1}`,
    ),
  ]);
  expect(found).toEqual(["partial", ...expected]);
}

it("A class whose head is in an error is found and qualifies its members", () =>
  check(
    "kotlin",
    `${"// What a cache is.\n".repeat(100)}
/** Keeps values. */
class Cache(private val loader: Loader) {
    init {
        require(size > 0) {

    fun lookup(key: String): Value =
        values[key] ?: load(key)

    // Asks the loader.
    private fun load(key: String): Value {
        return loader.load(key).also { values[key] = it }
    }
}
`,
    ["class Cache 102-114", "method Cache.lookup 107-108", "method Cache.load 110-113"],
  ));

it("Text that the grammar parsed, such as strings, has no lost definitions", () =>
  check(
    "bash",
    `usage() {
  cat <<END
help() {
END
${"  run this and that\n".repeat(20)}}

a=(( b)
`,
    ["function usage 1-25"],
  ));
