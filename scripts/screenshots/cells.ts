/** Parses the output of `tmux capture-pane -e` into runs of text with one style each. */

export interface Look {
  readonly ink: string;
  readonly paper: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
}

export interface Run {
  readonly column: number;
  readonly text: string;
  readonly look: Look;
}

const ESCAPE = String.fromCharCode(27);

const INK = "#d8dee9";
const PAPER = "#20242c";

/** The sixteen colors of terminals, which each terminal chooses for itself. */
const PALETTE =
  "#20242c #d5707a #8fbf7f #d9b26f #7aa2d6 #b48ead #7fbfc4 #c8ced9 #5c6470 #e88a93 #a8d69a #ecc987 #95b9e8 #cda6c8 #9ad6da #eceff4".split(
    " ",
  );

/** The steps of the 6 x 6 x 6 cube among the 256 colors. */
const STEPS = [0, 95, 135, 175, 215, 255];

interface State {
  ink: string | undefined;
  paper: string | undefined;
  bold: boolean;
  italic: boolean;
  underline: boolean;
  inverse: boolean;
}

const plain = (): State => ({
  ink: undefined,
  paper: undefined,
  bold: false,
  italic: false,
  underline: false,
  inverse: false,
});

/** Each line of the screen; styles continue from one line to the next. */
export function runsOf(captured: string): Run[][] {
  const state = plain();
  return captured.split("\n").map((line) => runsOfLine(line, state));
}

function runsOfLine(line: string, state: State): Run[] {
  const runs: Run[] = [];
  let column = 0;
  const add = (text: string) => {
    if (text !== "") runs.push({ column, text, look: lookOf(state) });
    column += widthOf(text);
  };
  const [first = "", ...others] = line.split(ESCAPE);
  add(first);
  for (const other of others) {
    // tmux asks for nothing but looks.
    const [, codes, text = ""] = /^\[([\d;:]*)m(.*)$/s.exec(other) ?? [];
    if (codes === undefined) throw new Error(`not a look: ${JSON.stringify(other)}`);
    apply(codes, state);
    add(text);
  }
  return runs;
}

function lookOf({ ink = INK, paper = PAPER, inverse, bold, italic, underline }: State): Look {
  const [front, back] = inverse ? [paper, ink] : [ink, paper];
  return { ink: front, paper: back, bold, italic, underline };
}

function apply(codes: string, state: State): void {
  const numbers = codes.split(/[;:]/).map(Number);
  while (numbers.length > 0) {
    const code = numbers.shift() ?? 0;
    if (code === 0) Object.assign(state, plain());
    else if (code === 1) state.bold = true;
    else if (code === 3) state.italic = true;
    else if (code === 4) state.underline = true;
    else if (code === 7) state.inverse = true;
    else if (code === 22) state.bold = false;
    else if (code === 23) state.italic = false;
    else if (code === 24) state.underline = false;
    else if (code === 27) state.inverse = false;
    else if (code === 38) state.ink = colorFrom(numbers);
    else if (code === 39) state.ink = undefined;
    else if (code === 48) state.paper = colorFrom(numbers);
    else if (code === 49) state.paper = undefined;
    else if (code >= 30 && code <= 37) state.ink = PALETTE[code - 30];
    else if (code >= 40 && code <= 47) state.paper = PALETTE[code - 40];
    else if (code >= 90 && code <= 97) state.ink = PALETTE[code - 82];
    else if (code >= 100 && code <= 107) state.paper = PALETTE[code - 92];
  }
}

/** `5;N` out of 256 colors, or `2;R;G;B`. */
function colorFrom(numbers: number[]): string | undefined {
  const kind = numbers.shift();
  if (kind === 2) return hex(numbers.splice(0, 3));
  const index = numbers.shift() ?? 0;
  if (index < 16) return PALETTE[index];
  if (index >= 232) return hex(Array.from({ length: 3 }, () => 8 + (index - 232) * 10));
  const cube = index - 16;
  return hex([cube / 36, cube / 6, cube].map((part) => STEPS[Math.floor(part) % 6] ?? 0));
}

function hex(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

export const DEFAULTS = { ink: INK, paper: PAPER };

/** Width in terminal columns; every shown character has a width of one. */
export const widthOf = (text: string) => Array.from(text).length;
