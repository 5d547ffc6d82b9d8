/** Whether a folder is on a disk that only this machine writes: it is quick, and the kernel tells of every change. */

import { statfs } from "node:fs/promises";

/** The types of file systems as `statfs` of Linux gives them (linux/magic.h). A container's is an overlay of these. */
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

/** False also for what cannot be asked, and for what is not known: a network's or a virtual machine's shared folder. */
export async function isOnLocalDisk(folder: string): Promise<boolean> {
  if (process.platform !== "linux") return false;
  try {
    return LOCAL.has((await statfs(folder)).type);
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
