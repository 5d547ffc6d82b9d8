/** The types of the settings. The table with their defaults, checks and descriptions is `config/settings.ts`. */

import type { Level } from "../common/log.ts";
import type { ChunkStrategy, UserGrammar } from "./model.ts";

/** The value of every setting, by name. */
export interface Settings {
  readonly indexName: string;
  readonly linkedIndexes: string[];
  readonly "indexing.enabled": boolean;
  readonly "indexing.includePatterns": string[];
  readonly "indexing.excludePatterns": string[];
  readonly "indexing.nestedWorktrees": boolean;
  readonly "indexing.chunkSize": number;
  readonly "indexing.chunkOverlap": number;
  readonly "indexing.chunkStrategy": ChunkStrategy;
  readonly "indexing.maxFileBytes": number;
  readonly "indexing.workers": number;
  readonly "embedding.provider": "builtin" | "local" | "ollama" | "openai";
  readonly "embedding.model": string;
  readonly "embedding.baseUrl": string;
  readonly "embedding.ollamaUrl": string;
  readonly "embedding.apiKey": string;
  readonly "embedding.dialect": "auto" | "openai" | "jina" | "voyage" | "cohere";
  readonly "embedding.context": "none" | "header" | "late";
  readonly "embedding.dimensions": number;
  readonly "rerank.provider": "auto" | "none" | "http" | "local";
  readonly "rerank.url": string;
  readonly "rerank.model": string;
  readonly "rerank.apiKey": string;
  readonly "rerank.dialect": "auto" | "standard" | "voyage" | "tei";
  readonly "rerank.candidates": number;
  readonly "rerank.timeoutMs": number;
  readonly "rewrite.provider": "none" | "ollama" | "openai";
  readonly "rewrite.model": string;
  readonly "rewrite.baseUrl": string;
  readonly "rewrite.apiKey": string;
  readonly "database.url": string;
  readonly "team.url": string;
  readonly "team.linkTemplate": string;
  readonly repository: string;
  readonly "languages.grammars": UserGrammar[];
  readonly trustedWorkspaces: string[];
  readonly "history.commits": number;
  readonly "graph.standardRequests": string[];
  readonly "search.lanes": "auto" | "memory" | "sql";
  readonly "search.limit": number;
  readonly "search.minScore": number;
  readonly "search.related": number;
  readonly "mcp.waitSeconds": number;
  readonly "log.level": Level;
}

export type SettingName = keyof Settings;

/** The settings that one source sets. */
export type PartialSettings = Partial<Settings>;
