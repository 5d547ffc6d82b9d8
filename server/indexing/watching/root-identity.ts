/** Detects that the watched root was replaced: deleted and recreated, or moved away. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { trySystemCall } from "../../common/errors.ts";
import { SingleFlight } from "../../common/single-flight.ts";

interface Identity {
  readonly inode: string;
  /** Undefined if the file system has no birth time; Node then returns the change time. */
  readonly bornAt: bigint | undefined;
}

/** In place of the inode of a root that does not exist. */
const GONE = "gone";

type Identities = readonly [root: Identity, git: Identity];

interface IdentityListener {
  /** Whether the root or HEAD exists and is not watched. */
  isLost(): Promise<boolean>;
  changed(): Promise<void>;
  /** Called if a periodic check failed; the next one follows. */
  failed(error: unknown): void;
}

interface WatchedIdentity {
  /** Checks now; resolves after `changed` if the identity differs. */
  check(): Promise<void>;
  stop(): void;
}

/**
 * Calls `changed` if the folder or its `.git` was replaced, created or deleted, or exists and is not watched. A folder that
 * was moved away and back has the same identity.
 */
export async function watchIdentity(
  root: string,
  everyMs: number,
  { isLost, changed, failed }: IdentityListener,
): Promise<WatchedIdentity> {
  const identify = async (): Promise<Identities> => [
    await identityOf(root),
    await identityOf(join(root, ".git")),
  ];
  let known = await identify();
  const checking = new SingleFlight(async () => {
    const before = known;
    const now = await identify();
    known = [merged(before[0], now[0]), merged(before[1], now[1])];
    const isOther = !isSame(before[0], now[0]) || !isSame(before[1], now[1]);
    if (isOther || (now[0].inode !== GONE && (await isLost()))) await changed();
  });
  const check = () => checking.run();
  const timer = setInterval(() => void check().catch(failed), everyMs);
  timer.unref();
  return { check, stop: () => clearInterval(timer) };
}

/** File systems reuse inode numbers soon after a deletion; only the birth time differs then. */
function isSame(before: Identity, now: Identity): boolean {
  if (before.inode !== now.inode) return false;
  return before.bornAt === undefined || now.bornAt === undefined || before.bornAt === now.bornAt;
}

function merged(before: Identity, now: Identity): Identity {
  return now.bornAt === undefined && before.inode === now.inode ? before : now;
}

async function identityOf(path: string): Promise<Identity> {
  const found = await trySystemCall(() => stat(path, { bigint: true }));
  if (found === undefined) return { inode: GONE, bornAt: undefined };
  const { dev, ino, birthtimeNs, ctimeNs } = found;
  return { inode: `${dev}:${ino}`, bornAt: birthtimeNs === ctimeNs ? undefined : birthtimeNs };
}
