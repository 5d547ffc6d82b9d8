/** The TLS options of a Postgres URL are kept: a server that cannot prove who it is gets neither password nor code. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { silent } from "../../server/common/log.ts";
import { PostgresDatabase } from "../../server/store/postgres.ts";
import { NO_POSTGRES, POSTGRES_URL } from "../support/databases.ts";
import { workspace } from "../support/workspace.ts";

const WHY_NO_CERTIFICATE = whyNoCertificate();

function whyNoCertificate(): string | undefined {
  try {
    execFileSync("openssl", ["version"], { stdio: "pipe" });
    return undefined;
  } catch (error) {
    return `no certificate can be made: ${String(error)}`;
  }
}

/** A self-signed certificate of this machine. */
function certificate(): { readonly key: string; readonly cert: string } {
  const folder = workspace();
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const options = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1".split(" ");
  const name = ["-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", [...options, ...name, "-keyout", key, "-out", cert], { stdio: "pipe" });
  return { key, cert };
}

/** The first message of a client: it asks for TLS. */
const ASKS_FOR_TLS = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** A door to the Postgres that takes TLS, or says that it has none; keeps what came in the clear. */
async function door(files?: { readonly key: string; readonly cert: string }) {
  const target = new URL(POSTGRES_URL ?? "");
  const heard = { inClear: Buffer.alloc(0), overTls: 0 };
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (first: Buffer) => {
      const asks = first.equals(ASKS_FOR_TLS);
      if (!asks) heard.inClear = Buffer.concat([heard.inClear, first]);
      if (asks) socket.write(files === undefined ? "N" : "S");
      if (asks && files === undefined) {
        socket.on("data", (more: Buffer) => {
          heard.inClear = Buffer.concat([heard.inClear, more]);
        });
        return;
      }
      pass(asks ? secured(socket) : socket, asks ? undefined : first);
    });
  });
  const secured = (socket: Socket): Socket => {
    const { key, cert } = files ?? { key: "", cert: "" };
    const options = { isServer: true, key: readFileSync(key), cert: readFileSync(cert) };
    const secure = new TLSSocket(socket, options);
    secure.on("secure", () => heard.overTls++);
    return secure;
  };
  const pass = (inward: Socket, first: Buffer | undefined) => {
    const outward = connect(Number(target.port), target.hostname);
    for (const side of [inward, outward]) side.on("error", () => undefined);
    if (first !== undefined) outward.write(first);
    inward.pipe(outward);
    outward.pipe(inward);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, heard };
}

async function ask(url: string): Promise<unknown> {
  const database = new PostgresDatabase(url, silent);
  try {
    return await database.query("select 1 as one");
  } catch (error) {
    return error;
  } finally {
    await database.close();
  }
}

describe.skipIf(NO_POSTGRES !== undefined)(`a Postgres behind TLS ${NO_POSTGRES ?? ""}`, () => {
  it.each(["require", "verify-ca", "verify-full"])(
    "a server without TLS is refused with sslmode=%s, and receives nothing",
    async (mode) => {
      const { url, heard } = await door();
      expect(await ask(`${url}?sslmode=${mode}`)).toBeInstanceOf(Unavailable);
      expect(heard.inClear.length).toBe(0);
    },
  );

  it.skipIf(WHY_NO_CERTIFICATE !== undefined)(
    "a known certificate is accepted with sslmode=verify-full",
    async () => {
      const files = certificate();
      const { url, heard } = await door(files);
      expect(await ask(`${url}?sslmode=verify-full&sslrootcert=${files.cert}`)).toEqual([
        { one: 1 },
      ]);
      expect(heard.overTls).toBe(1);
      expect(heard.inClear.length).toBe(0);
    },
  );

  it.skipIf(WHY_NO_CERTIFICATE !== undefined)(
    "a self-signed certificate is refused with sslmode=verify-full",
    async () => {
      const { url, heard } = await door(certificate());
      const error = await ask(`${url}?sslmode=verify-full`);
      expect(error).toBeInstanceOf(Unavailable);
      expect(String(error)).toMatch(/self-signed certificate.*sslrootcert=FILE/);
      expect(heard.inClear.length).toBe(0);
    },
  );

  it.skipIf(WHY_NO_CERTIFICATE !== undefined)(
    "a self-signed certificate is accepted if the user says so",
    async () => {
      const { url, heard } = await door(certificate());
      expect(await ask(`${url}?sslmode=no-verify`)).toEqual([{ one: 1 }]);
      expect(heard.overTls).toBe(1);
    },
  );
});
