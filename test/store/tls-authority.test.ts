/** A Postgres with a certificate of the company's own authority: it is used under its name only, and no error has the password. */

import { execFileSync } from "node:child_process";
import { appendFileSync, chownSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { silent } from "../../server/common/log.ts";
import { PostgresDatabase } from "../../server/store/postgres.ts";
import { openTeam } from "../../server/store/team.ts";
import { setUpTeam } from "../../server/store/team-setup.ts";
import { administer } from "../support/databases.ts";
import { NO_PROGRAMS, NOBODY, ownPostgres } from "../support/own-postgres.ts";
import { messageOf, publishOne } from "../support/publish-rows.ts";
import { FOR_ALL } from "../support/team.ts";
import { temporaryWorkspace } from "../support/workspace.ts";

const NO_OPENSSL = whyNoOpenssl();
const MISSING = NO_PROGRAMS ?? NO_OPENSSL;

function whyNoOpenssl(): string | undefined {
  try {
    execFileSync("openssl", ["version"], { stdio: "pipe" });
    return undefined;
  } catch (error) {
    return `skipped, because no certificate can be made: ${String(error)}`;
  }
}

const NEW_KEY = "-newkey rsa:2048 -nodes -keyout".split(" ");

/** The certificate of an authority in a folder. */
function authority(folder: string, name: string): string {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
  const options = ["req", "-x509", "-days", "2", "-subj", `/CN=${name}`, ...NEW_KEY, key];
  execFileSync("openssl", [...options, "-out", cert], { stdio: "pipe" });
  return cert;
}

/** Makes server.key and server.pem for this machine's address, not for its name. */
function certify(folder: string, name: string): void {
  const at = (file: string) => join(folder, file);
  const request = ["req", "-subj", "/CN=database", ...NEW_KEY, at("server.key")];
  execFileSync("openssl", [...request, "-out", at("server.csr")], { stdio: "pipe" });
  writeFileSync(at("names"), "subjectAltName=IP:127.0.0.1");
  const signers = ["-CA", at(`${name}.pem`), "-CAkey", at(`${name}.key`), "-CAcreateserial"];
  const sign = ["x509", "-req", "-days", "2", "-in", at("server.csr"), ...signers];
  const files = ["-extfile", at("names"), "-out", at("server.pem")];
  execFileSync("openssl", [...sign, ...files], { stdio: "pipe" });
}

const RULES = `
hostssl all postgres 127.0.0.1/32 trust
hostssl all member 127.0.0.1/32 scram-sha-256
`;

describe.skipIf(MISSING !== undefined)(`a Postgres with TLS ${MISSING ?? ""}`, () => {
  let url = "";
  let [own, other] = ["", ""];
  beforeAll(async () => {
    const { root, remove } = temporaryWorkspace();
    [own, other] = [authority(root, "own"), authority(root, "other")];
    certify(root, "own");
    const postgres = await ownPostgres();
    await administer("create role member login password 'hunter2'", postgres.url);
    for (const file of ["server.key", "server.pem"]) {
      const target = join(postgres.data, file);
      writeFileSync(target, readFileSync(join(root, file)), { mode: 0o600 });
      if (NOBODY.uid !== undefined) chownSync(target, NOBODY.uid, NOBODY.gid);
    }
    const settings = "ssl = on\nssl_cert_file = 'server.pem'\nssl_key_file = 'server.key'\n";
    appendFileSync(join(postgres.data, "postgresql.conf"), settings);
    writeFileSync(join(postgres.data, "pg_hba.conf"), RULES);
    await postgres.stop("fast");
    await postgres.start();
    ({ url } = postgres);
    await setUpTeam(`${url}?sslmode=verify-full&sslrootcert=${own}`, FOR_ALL, silent);
    const administrator = `${url}?sslmode=verify-full&sslrootcert=${own}`;
    await administer("grant cocosearch_publisher to member", administrator);
    return async () => {
      await postgres.dispose();
      remove();
    };
  });

  const member = (query: string, host = "127.0.0.1") =>
    `${url.replace("postgres@127.0.0.1", `member:hunter2@${host}`)}${query}`;
  const opened = (address: string) => messageOf(openTeam({ url: address, log: silent }));

  it("is used with sslmode=verify-full and the certificate of its authority", async () => {
    const address = member(`?sslmode=verify-full&sslrootcert=${own}`);
    expect(await messageOf(publishOne(address, "a"))).toBe("done");
    const team = await openTeam({ url: address, log: silent });
    expect(await team.listPublished()).toMatchObject([{ commit: "a" }]);
    await team.close();
    const database = new PostgresDatabase(address, silent);
    const ssl = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";
    expect(await database.query(ssl)).toEqual([{ ssl: true }]);
    await database.close();
  });

  it.each([
    [
      "under a name that its certificate lacks",
      () => member(`?sslmode=verify-full&sslrootcert=${own}`, "localhost"),
      /not match certificate.*localhost.*: use a host name of its certificate in COCOSEARCH_TEAM_URL$/,
    ],
    [
      "with the certificate of another authority",
      () => member(`?sslmode=verify-full&sslrootcert=${other}`),
      /certificate.*: add sslrootcert=FILE .* to COCOSEARCH_TEAM_URL, or sslmode=no-verify$/,
    ],
    [
      "without a certificate",
      () => member("?sslmode=verify-full"),
      /certificate.*: add sslrootcert=FILE .* to COCOSEARCH_TEAM_URL, or sslmode=no-verify$/,
    ],
    [
      "with the name of a missing file",
      () => member("?sslmode=verify-full&sslrootcert=/nowhere/ca.pem"),
      /\/nowhere\/ca\.pem.*check COCOSEARCH_TEAM_URL$/,
    ],
    [
      "in plain text",
      () => member(""),
      /no encryption\): add sslmode=verify-full if it demands TLS, or check user and password in COCOSEARCH_TEAM_URL$/,
    ],
    [
      "with another password",
      () => member(`?sslmode=verify-full&sslrootcert=${own}`).replace("hunter2", "hunter3"),
      /check user and password in COCOSEARCH_TEAM_URL$/,
    ],
  ])("is refused %s, with what to do", async (_, address, expected) => {
    const message = await opened(address());
    expect(message).toMatch(/^Unavailable: /);
    expect(message).toMatch(expected);
    expect(message).not.toMatch(/hunter/);
  });
});

describe.skipIf(MISSING !== undefined)(`a Postgres without TLS ${MISSING ?? ""}`, () => {
  it("is refused where the URL asks for it", async () => {
    const postgres = await ownPostgres();
    const address = postgres.url.replace("postgres@", "postgres:hunter2@");
    const message = await messageOf(
      openTeam({ url: `${address}?sslmode=verify-full`, log: silent }),
    );
    await postgres.dispose();
    expect(message).toMatch(
      /does not support SSL connections\): start it with TLS, or check COCOSEARCH_TEAM_URL$/,
    );
    expect(message).not.toMatch(/hunter/);
  });
});
