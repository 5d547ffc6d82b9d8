/** The parts of the server's answers that the extension uses; server/docs/protocol.md describes them all. */

interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

interface Location {
  readonly uri: string;
  readonly range: Range;
}

export interface Hit {
  readonly location: Location;
  readonly selectionRange: Range;
  readonly contextRange: Range;
  readonly score: number;
  readonly symbol?: { readonly name: string; readonly signature: string };
  readonly hierarchy?: string;
  readonly text?: string;
  readonly relevance?: "strong" | "weak" | "chance";
  /** The best line, with the ranges of query words. */
  readonly bestLine?: { readonly text: string; readonly highlights: readonly Range[] };
}

/** A file that is related to hits. */
export interface RelatedToHits {
  readonly uri: string;
  readonly via: string;
  readonly edge: Location;
  readonly dependent: boolean;
}

export interface Answer {
  readonly hits: readonly Hit[];
  /** Present if the setting `search.related` is above 0. */
  readonly related?: readonly RelatedToHits[];
  /** Present if it was asked for with `typing`, and a model of the settings may change the list. */
  readonly canImprove?: boolean;
  readonly warnings: readonly string[];
  readonly state: string;
  readonly indexed: number;
  readonly total: number;
}

export interface Status {
  readonly state: string;
  readonly reason?: string;
  readonly indexed: number;
  readonly total: number;
}

export interface RelatedFile {
  readonly path: string;
  readonly via: string;
  readonly line: number;
  readonly dependent: boolean;
  readonly types: readonly string[];
}

export interface ImpactFile extends Partial<RelatedFile> {
  readonly path: string;
  readonly reason: "graph" | "both" | "co-change" | "name";
}

export interface Call {
  readonly location: Location;
  readonly caller: string;
  readonly target: { readonly name: string; readonly location: Location };
}

export interface OccurrencesAnswer {
  readonly matches: number;
  readonly isComplete: boolean;
  readonly files: readonly {
    readonly uri: string;
    readonly places: readonly { readonly range: Range }[];
  }[];
  readonly warnings: readonly string[];
}

interface Hunk {
  readonly path: string;
  readonly patch?: string;
}

export interface Commit {
  readonly root: string;
  readonly sha: string;
  readonly subject: string;
  readonly author: string;
  readonly age: string;
  readonly score: number;
  readonly files: readonly { readonly path: string; readonly status: string }[];
  readonly hunks: readonly Hunk[];
}

export interface HistoryAnswer {
  readonly commits: readonly Commit[];
  readonly history: { readonly state: string; readonly reason?: string };
  readonly warnings: readonly string[];
}
