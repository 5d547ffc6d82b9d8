/** A connection to a database server that can be slow or break. */

import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

interface Disturbance {
  /** After this many bytes from the server, over all connections, nothing more is passed on. */
  readonly answersUpTo: number;
  /** Whether the connections then end, and new ones are refused. Otherwise they stay open and silent. */
  readonly ends?: boolean;
}

/** Until the end of the test; the URL of the same database through it. */
export async function proxyTo(
  url: string,
  { answersUpTo, ends = false }: Disturbance,
): Promise<{
  readonly url: string;
  /** Passes on nothing after the first statement with this text. */
  fallSilentAt(statement: string): void;
}> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let left = answersUpTo;
  let fatal: string | undefined;
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        client.destroy();
        database.destroy();
      });
    }
    client.on("data", (bytes) => {
      if (fatal !== undefined && bytes.includes(fatal)) left = 0;
      database.write(bytes);
    });
    database.on("data", (bytes) => {
      left -= bytes.length;
      if (left >= 0) client.write(bytes);
      else if (ends) stop();
    });
  });
  const stop = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(stop);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const through = new URL(url);
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    fallSilentAt: (statement) => {
      fatal = statement;
    },
  };
}
