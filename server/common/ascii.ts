/** Recognizes ASCII text, which is split and measured without regular expressions. */

// oxlint-disable-next-line no-control-regex -- ASCII includes control characters
const ASCII = /^[\0-\x7f]*$/;

export function isAscii(text: string): boolean {
  return ASCII.test(text);
}
