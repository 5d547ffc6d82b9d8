/** Blocks of a Go module file: require, replace, exclude. */

import { baseNameOf } from "../../common/relative-path.ts";
import type { Section } from "../sections/section.ts";
import { type Format } from "./format.ts";

export const goMod: Format = {
  id: "go-mod",
  matches: (path) => /^go\.(?:mod|work)$/.test(baseNameOf(path)),
  sections: (lines) => {
    const sections: Section[] = [];
    lines.forEach((line, first) => {
      const block = /^(\w+)\s*\(\s*(?:\/\/.*)?$/.exec(line)?.[1];
      const module = /^module\s+(\S+)/.exec(line)?.[1];
      if (module !== undefined) sections.push({ name: module, type: "module", first, last: first });
      if (block === undefined) return;
      const length = lines.slice(first).findIndex((below) => below.startsWith(")"));
      const last = length < 0 ? lines.length - 1 : first + length;
      sections.push({ name: block, type: block, first, last });
    });
    return sections;
  },
};
