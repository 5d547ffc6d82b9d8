/** Detects whether a folder is on a local disk, where reads are fast and the kernel reports every change. */

import { statfs } from "node:fs/promises";
import { trySystemCall } from "./errors.ts";

/** File system types of `statfs` on Linux (linux/magic.h). A container has an overlay of these. */
const LOCAL = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0xca451a4e, // bcachefs
  0xf2f52010, // F2FS
  0x2fc12fc1, // ZFS
  0x01021994, // tmpfs
  0x794c7630, // overlay
]);

/** False for network and shared folders, for unknown types, and if `statfs` fails. */
export async function isOnLocalDisk(folder: string): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const found = await trySystemCall(() => statfs(folder));
  return found !== undefined && LOCAL.has(found.type);
}
