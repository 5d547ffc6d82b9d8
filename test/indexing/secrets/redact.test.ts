/** Masking of secrets in displayed text. */

import { expect, it } from "vitest";
import { maskSecrets } from "../../../server/indexing/secrets/redact.ts";

const KEY = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;

it("`maskSecrets` masks each secret and nothing else", () => {
  const text = `# before\nfirst = "${KEY}"\nbetween()\nsecond = "${KEY}"\n# after\n`;
  const stars = "*".repeat(KEY.length);
  expect(maskSecrets(text)).toBe(
    `# before\nfirst = "${stars}"\nbetween()\nsecond = "${stars}"\n# after\n`,
  );
});

it("`maskSecrets` keeps the line ends of a key over several lines", () => {
  const lines = ["-----BEGIN RSA PRIVATE KEY-----", ...Array(4).fill("MIIE".repeat(16))];
  const text = `a\n${lines.join("\n")}\n-----END RSA PRIVATE KEY-----\nb\n`;
  const masked = maskSecrets(text);
  expect(masked.split("\n")).toHaveLength(text.split("\n").length);
  expect(masked).not.toContain("MIIE");
  expect([masked.startsWith("a\n"), masked.endsWith("\nb\n")]).toEqual([true, true]);
});
