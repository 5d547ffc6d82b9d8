/** The main function of scripts that draw names from folders: FOLDER... --home DIR [--count N] [--seed N] [--language ID]. */

import { resolve } from "node:path";
import type { Session } from "../../server/contracts/session.ts";
import type { SourceFile } from "../languages/source-files.ts";
import { scriptOptions } from "../script-options.ts";
import { indexedFiles } from "./defined-names.ts";
import { createRandom, shuffled } from "./random.ts";
import { openSession } from "./server.ts";

interface FolderRun {
  readonly session: Session;
  /** The folder as in the arguments. */
  readonly folder: string;
  /** By language. */
  readonly files: ReadonlyMap<string, readonly SourceFile[]>;
  readonly language: string | undefined;
  /** Whether `--once` was given. */
  readonly once: boolean;
  /** Draws the wanted number of items. */
  draw<T>(items: Iterable<T>): T[];
}

/** Prints a table with the row of each folder, and resolves to the exit code. */
export async function evaluateFolders(
  usage: string,
  count: number,
  evaluate: (run: FolderRun) => Promise<object>,
): Promise<number> {
  const once = { once: { type: "boolean", default: false } } as const;
  const { values, positionals: folders } = scriptOptions(usage, {
    allowPositionals: true,
    options: {
      home: { type: "string" },
      count: { type: "string", default: `${count}` },
      seed: { type: "string", default: "1" },
      language: { type: "string" },
      ...(usage.includes("--once") ? once : {}),
    },
  });
  if (folders.length === 0 || values.home === undefined) {
    console.error(usage);
    return 2;
  }
  const session = openSession(resolve(values.home));
  const rows: Record<string, object> = {};
  for (const folder of folders) {
    await session.openFolders([resolve(folder)]);
    await session.whenIdle();
    rows[folder] = await evaluate({
      session,
      folder,
      files: await indexedFiles(session, resolve(folder)),
      language: values.language,
      once: values.once === true,
      draw: (items) =>
        shuffled([...items], createRandom(Number(values.seed))).slice(0, Number(values.count)),
    });
  }
  await session.dispose();
  console.table(rows);
  return 0;
}
