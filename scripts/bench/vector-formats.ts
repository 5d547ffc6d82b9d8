/**
 * Compares two ways to send vectors to a Postgres and to read them: the text of the package pgvector, and the binary
 * form of server/store. Prints the CPU time of both sides for each, the median of interleaved rounds, as one JSON line.
 *
 * usage: node --import tsx scripts/bench/vector-formats.ts DATABASE_URL [DIMENSION]
 * The server must run on this machine with pgvector, so that the CPU time of its process can be read.
 */

import { Client } from "pg";
import { registerTypes, toSql } from "pgvector/pg";
import { asBase64, encodeColumn, fromBase64 } from "../../server/store/binary-format.ts";
import { vectors as vectorColumn } from "../../server/store/columns.ts";
import { median } from "./statistics.ts";
import { usageOf } from "./usage.ts";

const VECTORS = 5_000;
const ROUNDS = 9;
/** Vectors of one statement, as the store sends them. */
const BATCH = 500;

const [url, dimension = "256"] = process.argv.slice(2);
if (url === undefined) throw new Error("usage: vector-formats.ts DATABASE_URL [DIMENSION]");

const client = new Client({ connectionString: url });
await client.connect();
await client.query("create extension if not exists vector");
// The binary form is read as text (base64), so the parser of the package does not touch it.
await registerTypes(client);
await client.query("create temp table sample (embedding vector not null)");
await client.query("alter table sample alter column embedding set storage main");
const { rows } = await client.query<{ pid: number; oid: number }>(
  "select pg_backend_pid() as pid, 'vector'::regtype::oid::int as oid",
);
const { pid, oid } = rows[0] ?? { pid: 0, oid: 0 };

const sample = Array.from({ length: VECTORS }, (_, i) =>
  Float32Array.from(Array(Number(dimension)).keys(), (j) => Math.sin(i * 31 + j * 17)),
);
const batches = Array.from({ length: VECTORS / BATCH }, (_, i) =>
  sample.slice(i * BATCH, (i + 1) * BATCH),
);

const insert = async (parameter: unknown) =>
  await client.query("insert into sample select * from unnest($1::vector[])", [parameter]);

const WAYS: Readonly<Record<string, () => Promise<void>>> = {
  "write, text of pgvector": async () => {
    for (const batch of batches) await insert(batch.map((vector) => toSql([...vector])));
  },
  "write, binary": async () => {
    for (const batch of batches) await insert(encodeColumn(vectorColumn(batch), oid));
  },
  "read, text of pgvector": async () => {
    const read = await client.query<{ embedding: number[] }>("select embedding from sample");
    check(read.rows.map(({ embedding }) => Float32Array.from(embedding)));
  },
  "read, binary": async () => {
    const read = await client.query<{ vector: string }>(
      `select ${asBase64("embedding")} as vector from sample`,
    );
    check(read.rows.map(({ vector }) => fromBase64(vector)));
  },
};

/** Checks that each format returns the same bits, since only lossless formats can be compared. */
function check(read: readonly Float32Array[]): void {
  const isSame = read.every((vector, i) =>
    Buffer.from(vector.buffer).equals(Buffer.from(sample[i]?.buffer ?? new ArrayBuffer(0))),
  );
  if (read.length !== VECTORS || !isSame)
    throw new Error("the read vectors differ from the written ones");
}

const measured: Record<string, { client: number[]; server: number[] }> = {};
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, run] of Object.entries(WAYS)) {
    if (name.startsWith("write")) await client.query("truncate sample");
    const before = { own: process.cpuUsage(), server: usageOf(pid).cpuMs ?? 0 };
    await run();
    const { user, system } = process.cpuUsage(before.own);
    // The first round warms up both sides.
    if (round === 0) continue;
    const way = (measured[name] ??= { client: [], server: [] });
    way.client.push((user + system) / 1000);
    way.server.push((usageOf(pid).cpuMs ?? 0) - before.server);
  }
}
const figures = Object.entries(measured).map(([name, cpuMs]) => [
  name,
  { clientCpuMs: Math.round(median(cpuMs.client)), serverCpuMs: Math.round(median(cpuMs.server)) },
]);
console.log(
  JSON.stringify({
    vectors: VECTORS,
    dimension: Number(dimension),
    ...Object.fromEntries(figures),
  }),
);
await client.end();
