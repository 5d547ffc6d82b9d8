/** Ends the statement that runs on a connection, by the message that the protocol has for it: on a connection of its own. */

import { connect } from "node:net";
import type { PoolClient } from "pg";

/** The length of the message, and its number in the protocol. */
const HEADER = [16, 80_877_102] as const;
const GIVE_UP_MS = 5_000;

/** The fields of a connection that the driver has no types for. */
interface Backend {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}

/**
 * Asks the server, or a pooler in front of it. Nothing answers, and the message may come after the statement, so the connection
 * must not be used for another one. Without TLS, as libpq does: the key is of one use.
 */
export function cancelStatement(client: PoolClient): void {
  const { host, port, processID, secretKey } = client as PoolClient & Backend;
  const message = Buffer.alloc(16);
  for (const [i, number] of [...HEADER, processID, secretKey].entries())
    message.writeInt32BE(number, 4 * i);
  const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.on("error", () => undefined);
  socket.setTimeout(GIVE_UP_MS, () => socket.destroy());
  socket.end(message);
  socket.resume();
  socket.unref();
}
