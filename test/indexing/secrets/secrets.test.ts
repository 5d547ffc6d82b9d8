/** Detection of secrets. Tokens are concatenated, so that secret scanners do not report this file. */

import { describe, expect, it } from "vitest";
import { isSecretFile } from "../../../server/indexing/secrets/secret-files.ts";
import { containsSecret } from "../../../server/indexing/secrets/secrets.ts";

const letters = (count: number) => "aB3dE5fG7hJ9kL1mN".repeat(10).slice(0, count);
const upper = (count: number) => "ABCD2345EFGH6789".repeat(4).slice(0, count);
/** Prefixes that identify tokens. */
const as = {
  key: "KEY",
  akia: "AKIA",
  ghp: "ghp",
  glpat: "glpat",
  xoxb: "xoxb",
  stripe: "sk_live",
  aiza: "AIza",
  npm: "npm",
  pypi: "pypi",
  sk: "sk",
  dop: "dop_v1",
  jwt: "eyJ",
  account: "AccountKey",
};
const hex = (count: number) => "0123456789abcdef".repeat(5).slice(0, count);

describe("text with a secret", () => {
  it.each([
    ["a private key", `-----BEGIN RSA PRIVATE ${as.key}-----\nMIIEow${letters(60)}`],
    ["an AWS key", `id = "${as.akia}${upper(16)}"`],
    ["an AWS secret", `aws_secret_access_key = ${letters(40)}`],
    ["a GitHub token", `token: ${as.ghp}_${letters(36)}`],
    ["a GitLab token", `${as.glpat}-${letters(20)}`],
    ["a Slack token", `${as.xoxb}-${letters(40)}`],
    ["a Stripe key", `${as.stripe}_${letters(24)}`],
    ["a Google key", `${as.aiza}${letters(35)}`],
    ["an npm token", `//registry/:_authToken=${as.npm}_${letters(36)}`],
    ["a PyPI token", `${as.pypi}-${letters(60)}`],
    ["an OpenAI key", `${as.sk}-proj-${letters(40)}`],
    ["an Anthropic key", `${as.sk}-ant-${letters(40)}`],
    ["a DigitalOcean token", `${as.dop}_${hex(64)}`],
    ["a JSON web token", `${as.jwt}${letters(20)}.${as.jwt}${letters(20)}.${letters(30)}`],
    ["an address with a password", `postgres://app:${letters(12)}@db.internal:5432/shop`],
    ["a key recognized by its name", `api_key = "${letters(24)}"`],
    ["an Azure key", `${as.account}=${letters(86)}==`],
    [
      "a web token after a dash",
      `t-${as.jwt}${letters(20)}.${as.jwt}${letters(20)}.${letters(30)}`,
    ],
    [
      "a PGP key with a header",
      `-----BEGIN PGP PRIVATE ${as.key} BLOCK-----\nVersion: GnuPG v2\n\n${letters(60)}`,
    ],
    [
      "a PGP key in one string",
      `"-----BEGIN PGP PRIVATE ${as.key} BLOCK-----\\nVersion: GnuPG v2\\n\\n${letters(60)}"`,
    ],
    [
      "a PGP key in a list of strings",
      `["-----BEGIN PGP PRIVATE ${as.key} BLOCK-----", "Comment: x", "", "${letters(60)}"]`,
    ],
    ["a WireGuard key", `[Interface]\r\n  PrivateKey = ${letters(43)}=\r\n`],
    ["a Twilio token", `TWILIO_ACCOUNT_AUTH_TOKEN=${hex(32)}`],
    ["a password at a host with a name like it", `https://me:${letters(9)}@example-shop.io/x`],
    ["a password at a test machine", `mysql://app:${letters(12)}@test/shop`],
    [
      "a basic credential",
      `credentials = "${Buffer.from("admin:hunter2hunter2").toString("base64")}"`,
    ],
    ["a token below an example", `For example:\n${as.ghp}_${letters(36)}`],
  ])("%s", (_, text) => expect(containsSecret(text)).toBe(true));
});

/** Texts with many beginnings of secrets; matching them took seconds to hours. */
describe("hostile text", () => {
  it.each([
    ["headers of a key", `-----BEGIN PRIVATE ${as.key}-----\n${"Version: ".repeat(24)}`],
    ["blank lines", `${"\n".repeat(60_000)}PrivateKey`],
    ["beginnings of web tokens", `${as.jwt}-`.repeat(20_000)],
    ["one name again and again", "twilio".repeat(20_000)],
  ])("is matched in linear time: %s", (_, text) => {
    const start = performance.now();
    expect(containsSecret(text)).toBe(false);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

describe("text without a secret", () => {
  it.each([
    ["the words for a key", "-----BEGIN PRIVATE KEY----- is the first line"],
    ["a placeholder address", "postgres://user:password@host:5432/db"],
    ["a local address", "postgres://postgres:postgres@localhost/db"],
    ["an interpolated address", "`postgres://${user}:${password}@${host}/db`"],
    ["a port", "http://localhost:8080/a@b"],
    ["code about tokens", 'const token = process.env["GITHUB_TOKEN"] ?? "ghp_xxx";'],
    ["a kebab name", "sk-icon-button-primary"],
    ["a hash", hex(64)],
    ["a token of one letter", `"${as.akia}${"X".repeat(16)}"`],
    ["a token of one letter in each part", `${as.xoxb}-${"0".repeat(12)}-${"x".repeat(24)}`],
    ["a key of zeros", `${as.account}=${"A".repeat(86)}==`],
    ["a token that says it is an example", `${as.akia}${upper(9)}EXAMPLE`],
    ["a password at a host for examples", `https://sri:${letters(9)}@db.example.com/x`],
    ["a password at a host that never is one", `http://app:${letters(9)}@shop.test/x`],
    ["a password that says it is secret", "http://daniel:s3cret@mojo.io"],
    ["a variable in place of a password", "https://token:MY_REGISTRY_TOKEN@registry.io/a.git"],
    ["a login that says it is an example", "machine a.io login me password example-password"],
    ["a basic credential of placeholders", 'CREDENTIALS = "dXNlcm5hbWU6cGFzc3dvcmQ="'],
  ])("%s", (_, text) => expect(containsSecret(text)).toBe(false));
});

describe("secret files", () => {
  it.each([
    ...".env a/.env.production certs/server.key x.pem .ssh/config id_rsa".split(" "),
    ...".npmrc config/master.key prod.tfvars .aws/credentials ID_RSA".split(" "),
    ..."home/.docker/config.json service-account-prod.json secrets.yaml".split(" "),
  ])("include %s", (path) => expect(isSecretFile(path)).toBe(true));

  it.each([
    ...".env.example .env.sample .env.local.template .docker/Dockerfile".split(" "),
    ...".aws/task-definition.json book/chapter.asc id_rsa.pub env.ts keys.ts".split(" "),
    ..."secrets.ts credentials.py example.tfvars monkey.js src/key/main.go".split(" "),
  ])("do not include %s", (path) => expect(isSecretFile(path)).toBe(false));
});
