/** Requests and answers of the call hierarchy. */

/** A name at the cursor of an editor. Paths are absolute, and columns are UTF-16 units. */
export interface WrittenName {
  readonly path: string;
  readonly line: number;
  /** The column of the first character of the name. */
  readonly column: number;
  /** The name with its receiver, separated by dots: `pool.open`. */
  readonly chain: string;
}

/** A name in a file. */
export interface NamePlace {
  /** The opened folder that the path is relative to. */
  readonly root: string;
  readonly path: string;
  readonly line: number;
  /** The part of the line before the name. */
  readonly lead: string;
  /** Empty if the name is no longer on that line, or for a file as a whole. */
  readonly name: string;
}

/** A definition that calls or is called. */
export interface CallEnd extends NamePlace {
  readonly kind: "class" | "interface" | "function" | "method" | "file";
  /** The name with its enclosing types and functions. For a file, its path. */
  readonly qualifiedName: string;
  readonly endLine: number;
}

/** All calls between two definitions. */
export interface CallsOfOne {
  /** The definition at the other end. */
  readonly other: CallEnd;
  /** The call sites, in the file of the caller. */
  readonly places: readonly NamePlace[];
}

export interface CallsRequestOfOne {
  readonly direction: "incoming" | "outgoing";
  /** The end as returned by an earlier answer. */
  readonly end: Pick<CallEnd, "root" | "path" | "line" | "name">;
}
