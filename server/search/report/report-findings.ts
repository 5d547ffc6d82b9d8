/** The definitions, files and places of one index that a bug report names. */

import type { ChunkFacts, Filter, Lanes } from "../../contracts/lanes.ts";
import { type MentionsByChunk, resolveMentions } from "../lanes/mentions.ts";
import type { BugReport } from "./report.ts";
import { filesOfReport, type NamedFile } from "./report-files.ts";

export interface ReportFindings {
  /** The definitions of each chunk that the report mentions. */
  readonly mentions: MentionsByChunk;
  readonly mentionedChunks: ReadonlyMap<number, ChunkFacts>;
  readonly namedFiles: ReadonlyMap<string, NamedFile>;
  readonly namedChunks: ReadonlyMap<number, ChunkFacts>;
}

export async function findNamed(
  { names, places, modules }: BugReport,
  filter: Filter | undefined,
  lanes: Lanes,
): Promise<ReportFindings> {
  const mentions = await resolveMentions(names, filter, lanes);
  const namedFiles = filesOfReport(places, modules, lanes);
  return {
    mentions,
    mentionedChunks: await lanes.facts([...mentions.keys()]),
    namedFiles,
    namedChunks: await lanes.facts(await lanes.chunksOf([...namedFiles.keys()])),
  };
}
