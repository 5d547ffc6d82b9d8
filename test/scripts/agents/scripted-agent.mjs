/** An agent without a model: it calls the commands of its task really, and answers with the places that they print. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const prompt = readFileSync(0, "utf8");
if (prompt !== readFileSync(process.env.PROMPT_FILE, "utf8")) throw new Error("two prompts");
const [, question] = prompt.split("\n\n");
const [, name] = /`(\w+)`/.exec(question) ?? [];
const hasOurs = /^## search_code$/m.test(prompt);

const call = (tool, input) => execFileSync(tool, [JSON.stringify(input)], { encoding: "utf8" });

function answer() {
  if (question.includes("Why")) {
    const [, path, line] = /(\S+):(\d+)/.exec(question);
    const printed = hasOurs
      ? call("explain_change", { path, startLine: Number(line) })
      : call("git_history", { arguments: ["blame", "-l", `-L${line},${line}`, "--", path] });
    return [{ commit: /\b[0-9a-f]{7,40}\b/.exec(printed)[0] }];
  }
  if (name !== undefined && hasOurs) {
    return listed(call("search_code", { exact: `${name}(` }));
  }
  if (name !== undefined)
    return placesIn(call("grep_files", { pattern: `^\\s+${name}\\(` }), /^(\S+):(\d+):/gm);
  if (hasOurs)
    return placesIn(call("search_code", { query: question }), /^(\S+):(\d+)/gm).slice(0, 1);
  // Without our tools it looks for the longest word, and reads the file.
  const [word] = question.match(/\w+/g).toSorted((a, b) => b.length - a.length);
  const places = placesIn(call("grep_files", { pattern: word }), /^(\S+):(\d+):/gm);
  for (const { path } of places) call("read_file", { path });
  return places;
}

/** Lines below the name of their file. */
function listed(printed) {
  let path = "";
  return printed.split("\n").flatMap((line) => {
    [, path] = /^(\S+\.py) \(\d+\)$/.exec(line) ?? [line, path];
    const [, startLine] = /^ {2}(\d+):\d+ /.exec(line) ?? [];
    return startLine === undefined ? [] : [{ path, startLine: Number(startLine) }];
  });
}

function placesIn(printed, pattern) {
  return [...printed.matchAll(pattern)].map(([, path, line]) => ({
    path,
    startLine: Number(line),
  }));
}

process.stdout.write(`I found it.\n${JSON.stringify({ places: answer() })}\n`);
