/** Detection of assigned secrets: a planted list, and texts without secrets. */

import { describe, expect, it } from "vitest";
import { assignedSecrets } from "../../../server/indexing/secrets/assigned-secrets.ts";
import { random } from "../../support/random.ts";

const SMALL = "abcdefghijklmnopqrstuvwxyz";
const LETTERS = `${SMALL}${SMALL.toUpperCase()}0123456789`;
const WORDS = "hunter dragon winter monkey harbor silver garden rocket falcon marble".split(" ");

/** Forms of assignments in code, settings and shells. */
const KEYS: readonly ((value: string) => string)[] = [
  (value) => `api_key = "${value}"`,
  (value) => `const apiKey = '${value}';`,
  (value) => `  client_secret: ${value}`,
  (value) => `  "clientSecret": "${value}",`,
  (value) => `export STRIPE_SECRET_KEY=${value}`,
  (value) => `private static final String ACCESS_TOKEN = "${value}";`,
  (value) => `const signingKey: string = "${value}";`,
  (value) => `config.secret_key_base = '${value}'`,
  (value) => `AUTH_TOKEN := "${value}"`,
  (value) => `'encryption_key' => '${value}',`,
  (value) => `os.environ["WEBHOOK_SECRET"] = "${value}"`,
];
const PASSWORDS: readonly ((value: string) => string)[] = [
  (value) => `password = "${value}"`,
  (value) => `db_password: ${value}`,
  (value) => `PGPASSWORD='${value}'`,
  (value) => `"smtpPassword": "${value}"`,
  (value) => `let adminPwd = "${value}";`,
];

function planted(): string[] {
  const { int, pick } = random(15);
  const some = (alphabet: string, count: number) =>
    Array.from({ length: count }, () => alphabet[int(alphabet.length)]).join("");
  const keys: readonly (() => string)[] = [
    () => some("0123456789abcdef", 32),
    () => some("0123456789abcdef", 64),
    () => some(LETTERS, 24 + int(20)),
    () => `${some(`${LETTERS}+/`, 43)}=`,
    () => [8, 4, 4, 4, 12].map((count) => some("0123456789abcdef", count)).join("-"),
  ];
  const passwords: readonly (() => string)[] = [
    () => some(`${LETTERS}!@#%^&*`, 12 + int(8)),
    () => `${pick(WORDS)}${int(10)}${pick(WORDS)}${int(10)}`,
    () => `${pick(WORDS).replace("a", "4")}${10 + int(90)}!`,
  ];
  return Array.from({ length: 300 }, (_, i) =>
    i % 3 === 0 ? pick(PASSWORDS)(pick(passwords)()) : pick(KEYS)(pick(keys)()),
  );
}

describe("secrets by their names", () => {
  it("`assignedSecrets` finds at least 95 of 100 planted secrets", async ({ annotate }) => {
    const list = planted();
    const missed = list.filter((line) => assignedSecrets(`first\n${line}\nlast`).length === 0);
    await annotate(
      `${list.length - missed.length} of ${list.length}; missed: ${missed.join(" | ")}`,
    );
    expect(new Set(list).size).toBe(300);
    expect(missed.length).toBeLessThanOrEqual(15);
  });

  it.each([
    `api_key = "f3b1c0de99a8714b52e6"`,
    `password = "hunter2hunter2"`,
    "client_secret: 9x8w7v6u5t4s3r2q1p0o",
    `the example below:\n\n\npassword = "hunter2hunter2"`,
    `see the example in the manual\npassword = "hunter2hunter2"`,
    `example = true\npassword = "hunter2hunter2"`,
    `f("example");\npassword = "hunter2hunter2"`,
  ])("`assignedSecrets` finds %s", (text) => {
    const [found] = assignedSecrets(text);
    expect(text.slice(found?.start, found?.end)).toMatch(/^[a-z0-9]{14,}$/);
  });

  it.each([
    `password = "password123"`,
    `api_key = "your-api-key-1234567"`,
    `token = os.environ["API_TOKEN_V2"]`,
    `password: \${DB_PASSWORD_1}`,
    `secretName: my-service-secret-1`,
    `const tokenUrl = "https://auth.acme.io/oauth2/token";`,
    `access_token = response.json()["access_token"]`,
    `apiKey: config.providers.openai2.apiKey`,
    `type Token = "identifier2" | "number4real";`,
    `token = "sha256-oauth2-access"`,
    `PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]`,
    `publicKeyToken=b03f5f7f11d50a3a`,
    `test_password = "test-user-pass1"`,
    `password: 's00pers3cret'`,
    `credentials = "YWxpY2U6c2VjcmV0LXBhc3N3ZA=="`,
    `DUMMY_API_KEY = "f3b1c0de99a8714b52e6"`,
    `exampleSigningKey: "f3b1c0de99a8714b52e6"`,
    `shown in the log, as in the example below::\n\n  Password: 16f92501e8a59326`,
    `  # For example:\r\n  password = "hunter2hunter2"`,
  ])("`assignedSecrets` ignores %s", (text) => expect(assignedSecrets(text)).toEqual([]));
});

it("A value of letters only is not a secret", () => {
  const letters = "QzKmWxTbNvRpLdHgYcJfSaUe";
  expect(assignedSecrets(`api_key = "${letters}"`)).toEqual([]);
  expect(assignedSecrets(`api_key = "${letters}7"`)).toHaveLength(1);
});
