/** The token estimate, compared with a real tokenizer on samples of languages and scripts. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "gpt-tokenizer";
import { expect, it } from "vitest";
import { estimateTokens } from "../../server/common/tokens.ts";

const GRAMMARS = join(import.meta.dirname, "../../grammars");
const files = readdirSync(GRAMMARS, { recursive: true, encoding: "utf8" });

it.each([".ts", ".py", ".go", ".rs", ".java", ".c", ".rb", ".php", ".kt", ".swift"])(
  "estimateTokens is close to the count for code in *%s",
  (extension) => {
    const own = files.filter((file) => file.endsWith(`sample${extension}`));
    const text = own.map((file) => readFileSync(join(GRAMMARS, file), "utf8")).join("\n");
    expect(text.length).toBeGreaterThan(500);
    const ratio = estimateTokens(text) / encode(text).length;
    expect(ratio).toBeGreaterThan(0.97);
    expect(ratio).toBeLessThan(1.04);
  },
);

it.each([
  "这是一个用于搜索代码的语言服务器",
  "Где обновляются токены авторизации",
  "🎉🎉🎉 done 🚀",
  "Die Überprüfung der Zugriffsberechtigungen erfolgt während der Anmeldung",
  "토큰은 어디에서 갱신됩니까 설정 파일을 읽는 처리",
  "a".repeat(5_000),
  `${"=".repeat(500)}${"-+*/".repeat(200)}`,
  Buffer.from(Array.from({ length: 3_000 }, (_, i) => (i * 7919) % 251)).toString("base64"),
])("estimateTokens is not far below the count for %s", (text) =>
  expect(estimateTokens(text)).toBeGreaterThan(encode(text).length * 0.85),
);

it("estimateTokens is 0 for an empty text", () => expect(estimateTokens("")).toBe(0));
