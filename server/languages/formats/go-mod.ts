/** Blocks of a Go module file: require, replace, exclude. */

import { baseNameOf } from "../../common/relative-path.ts";
import type { Section } from "../sections/section.ts";
import { type Format } from "./format.ts";

export const goMod: Format = {
  id: "go-mod",
  matches: (path) => /^go\.(?:mod|work)$/.test(baseNameOf(path)),
  sections: (lines) => {
    const sections: Section[] = [];
    let last = -1;
    lines.forEach((line, first) => {
      const block = /^(\w+)\s*\(\s*(?:\/\/.*)?$/.exec(line)?.[1];
      const module = /^module\s+(\S+)/.exec(line)?.[1];
      if (module !== undefined) sections.push({ name: module, type: "module", first, last: first });
      if (block === undefined) return;
      if (last < first) last = closing(lines, first);
      sections.push({ name: block, type: block, first, last });
    });
    return sections;
  },
};

/** The next line that begins with a closing bracket, or the last line. */
function closing(lines: readonly string[], first: number): number {
  for (let lineIndex = first; lineIndex < lines.length; lineIndex++)
    if (lines[lineIndex]?.startsWith(")") === true) return lineIndex;
  return lines.length - 1;
}
