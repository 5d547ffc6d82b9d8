/** Questions besides the tasks: names of definitions, questions about other repositories, and invented words. */

import type { Task } from "../evaluation/metrics.ts";

const FOREIGN_PER_REPO = 24;
const NONSENSE_PER_REPO = 8;
const NAMES_PER_REPO = 20;

const SYLLABLES =
  "ba dro fli gne hul jix kor lum moz nip qua ret sno tav urk vex wim yot zeb phi".split(" ");

/** Names of the definitions that answer the tasks of one repository, each with the places that the tasks give it; no descriptions. */
export function nameQuestions(tasks: readonly Task[]): Task[] {
  const named = tasks.flatMap((task) =>
    [...task.relevant, ...task.secondary].map((target) => ({ task, target })),
  );
  const names = [...new Set(named.map(({ target }) => target.symbol ?? ""))].filter((name) =>
    /^\S+$/.test(name),
  );
  const step = Math.max(1, names.length / NAMES_PER_REPO);
  const chosen = names.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
  return chosen.flatMap((query) => {
    const [first, ...others] = named.filter(({ target }) => target.symbol === query);
    if (first === undefined) return [];
    const secondary = others.map(({ target }) => target);
    const id = `${first.task.repo} ${query}`;
    return [{ ...first.task, id, query, category: "symbol", relevant: [first.target], secondary }];
  });
}

/** Each repository gets others; of its own history or checkout none. */
export function foreignQuestions(tasks: readonly Task[], repo: string): string[] {
  const random = createRandom(repo);
  const isOwn = (other: string) => other.split("~")[0] === repo.split("~")[0];
  const others = tasks.filter((task) => !isOwn(task.repo) && task.category !== "symbol");
  return Array.from(
    { length: FOREIGN_PER_REPO },
    () => others[Math.floor(random() * others.length)]?.query ?? "",
  );
}

/** Invented words, in a sentence and alone. */
export function nonsenseQuestions(repo: string): string[] {
  const random = createRandom(`nonsense ${repo}`);
  const pick = () => SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? "";
  const word = () => Array.from({ length: 2 + Math.floor(random() * 3) }, pick).join("");
  return Array.from({ length: NONSENSE_PER_REPO }, (_, i) => {
    if (i % 4 === 0) return word();
    if (i % 4 === 1) return `how does the ${word()} ${word()} the ${word()}`;
    return Array.from({ length: 3 + (i % 3) }, word).join(" ");
  });
}

/** Numbers that look random and are the same in each run (mulberry32), by a name. */
function createRandom(name: string): () => number {
  let state = Array.from(name).reduce(
    (sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0),
    7,
  );
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
