/** Renders a terminal's screen as an SVG of a few kilobytes, as text in the reader's monospaced font. */

import { DEFAULTS, type Look, type Run, runsOf, widthOf } from "./cells.ts";

/** Pixels of one character. */
const WIDTH = 8.4;
const HEIGHT = 17;
const BASELINE = 13;
const MARGIN = 10;

export function svgOf(captured: string, columns: number, rows: number): string {
  const width = columns * WIDTH + 2 * MARGIN;
  const height = rows * HEIGHT + 2 * MARGIN;
  const lines = runsOf(captured)
    .slice(0, rows)
    .flatMap((runs, row) => runs.map((run) => drawn(run, row)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<style>text{font:14px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}</style>`,
    `<rect width="100%" height="100%" rx="6" fill="${DEFAULTS.paper}"/>`,
    `<g transform="translate(${MARGIN} ${MARGIN})" fill="${DEFAULTS.ink}">`,
    ...lines,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function drawn({ column, text, look }: Run, row: number): string {
  const [y, length] = [row * HEIGHT, widthOf(text)];
  const paper =
    look.paper === DEFAULTS.paper
      ? ""
      : `<rect x="${short(column * WIDTH)}" y="${y}" width="${short(length * WIDTH)}" height="${HEIGHT}" fill="${look.paper}"/>`;
  // Not every reader keeps spaces, so that each piece between them has its own place.
  const pieces = [...text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: piece, index }) => {
    const x = (column + widthOf(text.slice(0, index))) * WIDTH;
    // Fonts differ in width by a hair; the length keeps columns under each other.
    const wide = short(widthOf(piece) * WIDTH);
    return `<text x="${short(x)}" y="${y + BASELINE}" textLength="${wide}"${styleOf(look)}>${escaped(piece)}</text>`;
  });
  return paper + pieces.join("");
}

function styleOf({ ink, bold, italic, underline }: Look): string {
  return [
    ink === DEFAULTS.ink ? "" : ` fill="${ink}"`,
    bold ? ' font-weight="bold"' : "",
    italic ? ' font-style="italic"' : "",
    underline ? ' text-decoration="underline"' : "",
  ].join("");
}

const short = (pixels: number) => String(Math.round(pixels * 10) / 10);

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
