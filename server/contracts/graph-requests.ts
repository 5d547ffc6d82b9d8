/** What a client may ask of the graph, and what it is answered. */

/** One edge as `deps export` writes it. Paths are relative to the folder; lines are zero-based. */
export type ExportedEdge =
  | {
      readonly kind: "import";
      readonly from: string;
      readonly to: string;
      readonly line: number;
      readonly confidence: number;
      readonly how: string;
    }
  | {
      readonly kind: "call" | "candidate";
      readonly at: { readonly file: string; readonly line: number; readonly column: number };
      readonly name: string;
      readonly to: { readonly file: string; readonly line: number; readonly name: string };
      readonly confidence: number;
      readonly how: string;
    };

/** A part of all edges; `next` is where the rest begins. */
export interface ExportedEdges {
  readonly edges: readonly ExportedEdge[];
  readonly next?: number;
}
