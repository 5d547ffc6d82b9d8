/** Notices that a watched folder was replaced: deleted and made again, or moved away and back. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { SingleFlight } from "../../common/single-flight.ts";

interface Identity {
  readonly inode: string;
  /** Undefined where the file system does not tell: then Node gives the time of the last change. */
  readonly bornAt: bigint | undefined;
}

/** In place of the inode of a root that does not exist. */
const GONE = "gone";

type Identities = readonly [root: Identity, git: Identity];

interface IdentityListener {
  /** Whether what should be watched is not. */
  isLost(): Promise<boolean>;
  changed(): Promise<void>;
  /** A look that nobody waits for failed; the next one follows. */
  failed(error: unknown): void;
}

export interface WatchedIdentity {
  /** Looks now; resolves when `changed` was called where it had to be. */
  look(): Promise<void>;
  stop(): void;
}

/**
 * Calls `changed` when the folder or its `.git` is another one than before, or gone, or there and not watched: a folder
 * that was moved away and back at once is the same as before.
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
  const looking = new SingleFlight(async () => {
    const before = known;
    const now = await identify();
    known = [merged(before[0], now[0]), merged(before[1], now[1])];
    const isOther = !isSame(before[0], now[0]) || !isSame(before[1], now[1]);
    if (isOther || (now[0].inode !== GONE && (await isLost()))) await changed();
  });
  const look = () => looking.run();
  const timer = setInterval(() => void look().catch(failed), everyMs);
  timer.unref();
  return { look, stop: () => clearInterval(timer) };
}

/** File systems give a number again soon after a deletion; then only the time of birth differs. */
function isSame(before: Identity, now: Identity): boolean {
  if (before.inode !== now.inode) return false;
  return before.bornAt === undefined || now.bornAt === undefined || before.bornAt === now.bornAt;
}

function merged(before: Identity, now: Identity): Identity {
  return now.bornAt === undefined && before.inode === now.inode ? before : now;
}

async function identityOf(path: string): Promise<Identity> {
  try {
    const { dev, ino, birthtimeNs, ctimeNs } = await stat(path, { bigint: true });
    const bornAt = birthtimeNs === ctimeNs ? undefined : birthtimeNs;
    return { inode: `${dev}:${ino}`, bornAt };
  } catch (error) {
    if (error instanceof Error && "code" in error) return { inode: GONE, bornAt: undefined };
    throw error;
  }
}
