/** Requests and answers of the call hierarchy. */

/** A name as it is written in an editor. Paths are absolute; columns count UTF-16 units. */
export interface WrittenName {
  readonly path: string;
  readonly line: number;
  /** Where the name begins. */
  readonly column: number;
  /** The name with what it is asked of, dots between them: `pool.open`. */
  readonly chain: string;
}

/** A name in a file. */
export interface NamePlace {
  /** The opened folder that the path is relative to. */
  readonly root: string;
  readonly path: string;
  readonly line: number;
  /** What is on the line before the name. */
  readonly lead: string;
  /** Empty where the name is not on that line any more, or where a file as a whole is meant. */
  readonly name: string;
}

/** A definition that calls or is called. */
export interface CallEnd extends NamePlace {
  readonly kind: "class" | "interface" | "function" | "method" | "file";
  /** With the types and functions around it; of a file, its path. */
  readonly qualifiedName: string;
  readonly endLine: number;
}

/** All calls between a definition and another one. */
export interface CallsOfOne {
  /** The one at the other end. */
  readonly other: CallEnd;
  /** The names that are called, in the file of the caller. */
  readonly places: readonly NamePlace[];
}

export interface CallsRequestOfOne {
  readonly direction: "incoming" | "outgoing";
  /** As an earlier answer named it. */
  readonly end: Pick<CallEnd, "root" | "path" | "line" | "name">;
}
