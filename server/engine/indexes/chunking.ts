/** The settings of chunking. */

import type { Settings } from "../../contracts/settings.ts";
import type { Chunking } from "../../indexing/indexer.ts";

export function chunkingOf(settings: Settings): Chunking {
  return {
    chunkSize: settings["indexing.chunkSize"],
    chunkOverlap: settings["indexing.chunkOverlap"],
    chunkStrategy: settings["indexing.chunkStrategy"],
    grammars: settings["languages.grammars"],
    maxFileBytes: settings["indexing.maxFileBytes"],
  };
}
