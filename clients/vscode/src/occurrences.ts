/** Shows every place of a text or a pattern in a peek view. */

import * as vscode from "vscode";
import { showPlaces, textHere } from "./ask.js";
import { toRange } from "./places.js";
import type { OccurrencesAnswer } from "./protocol.js";
import type { Server } from "./server.js";

/** The most that the server lists at once. */
const LIMIT = 1_000;

export async function showOccurrences(server: Server): Promise<void> {
  const sought = await vscode.window.showInputBox({
    prompt: "Find all occurrences of a text, or of a regular expression as /pattern/",
    value: textHere(),
  });
  if (sought === undefined || sought === "") return;
  const pattern = /^\/(.+)\/$/.exec(sought)?.[1];
  const what = pattern === undefined ? { exact: sought } : { pattern };
  const answer = await server.ask<OccurrencesAnswer>("cocosearch/occurrences", {
    ...what,
    limit: LIMIT,
  });
  const places = answer.files.flatMap(({ uri, places: own }) =>
    own.map(({ range }) => new vscode.Location(vscode.Uri.parse(uri), toRange(range))),
  );
  for (const sentence of notesOf(answer, places.length))
    void vscode.window.showInformationMessage(`cocosearch: ${sentence}`);
  await showPlaces(places, `occurrences of ${sought}`);
}

/** Sentences about a list that is a part. */
function notesOf({ matches, isComplete, warnings }: OccurrencesAnswer, shown: number): string[] {
  const cut = shown < matches ? [`${shown} of ${matches} occurrences are shown`] : [];
  const part = isComplete
    ? []
    : ["some files were not searched yet, so occurrences may be missing"];
  return [...cut, ...part, ...warnings];
}
