/** The boosts in the order of application: boosts that raise scores come first, then boosts that lower them, then the order of files and of the places within them. */

import type { Boost } from "../ranking.ts";
import { coherence } from "./coherence.ts";
import { definition } from "./definition.ts";
import { definitionWords } from "./definition-words.ts";
import { fileCategory } from "./file-category.ts";
import { fileOrder } from "./file-order.ts";
import { fileWords } from "./file-words.ts";
import { inlineTest } from "./inline-test.ts";
import { outdatedVersion } from "./outdated-version.ts";
import { pathWords } from "./path-words.ts";
import { placeInFile } from "./place-in-file.ts";
import { reportCategory, reportNames, reportPlaces } from "./report.ts";
import { saturation } from "./saturation.ts";
import { spelledOut } from "./spelled-out.ts";

/** For a bug report. */
export const REPORT_BOOSTS: readonly Boost[] = [
  coherence,
  reportNames,
  pathWords,
  reportPlaces,
  definitionWords,
  reportCategory,
  outdatedVersion,
  inlineTest,
  saturation,
];

export const BOOSTS: readonly Boost[] = [
  spelledOut,
  coherence,
  definition,
  pathWords,
  fileWords,
  fileCategory,
  outdatedVersion,
  inlineTest,
  fileOrder,
  placeInFile,
  saturation,
];
