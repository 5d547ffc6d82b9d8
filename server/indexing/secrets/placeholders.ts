/** Recognizes placeholders and examples that have the form of a secret. */

/** Placeholder texts. */
const PLACEHOLDER =
  /example|change|your|placeholder|dummy|sample|test|fake|mock|redacted|insert|replace|xxx|\.\.\.|\*\*\*|[<>{}()]|\$|%s|%\(|:\/\/|^(?:\.{1,2}|~|@[\w-]+)\/|none|null|undefined|foo|bar|1234|abcd|passw|s[e3]cr[e3]t|token|credential|qwerty|lorem|hello|world/i;

/** In a random hexadecimal token, one in 16 characters equals the previous one. */
const REPEATED_SHARE = 0.5;

const BASE64 = /^(?:[A-Za-z0-9+/]{4}){2,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const PRINTABLE = /^[ -~]+$/;

/** Whether the value of a name such as `password` is a placeholder, plain or in base64. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || PLACEHOLDER.test(textInBase64(value));
}

/** Whether a token in the documented form is an example: `AKIAXXXXXXXXXXXXXXXX`. */
export function isExampleToken(token: string): boolean {
  return isRepetition(token) || /example/i.test(token);
}

/** Whether a token repeats one character after its prefix: `xoxb-0000000000-XXXXXXXXXX`. */
export function isRepetition(value: string): boolean {
  let repeated = 0;
  for (let i = 1; i < value.length; i++) if (value[i] === value[i - 1]) repeated++;
  return repeated >= value.length * REPEATED_SHARE;
}

/** Decodes base64 text; empty if the bytes are not printable. */
function textInBase64(value: string): string {
  if (!BASE64.test(value)) return "";
  const text = Buffer.from(value, "base64").toString("latin1");
  return PRINTABLE.test(text) ? text : "";
}

/** The part of a name before the kind of secret: `DUMMY_` in `DUMMY_API_KEY`, `example` in `exampleToken`. */
const EXAMPLE_NAME = /(?:example|dummy|fake|sample|placeholder|mock)[\w-]*$/i;

export function isExampleName(before: string): boolean {
  return EXAMPLE_NAME.test(before);
}

/** Lines above a value that may announce an example; documents have a blank line in between. */
export const ANNOUNCING_LINES = 2;
/** A sentence, comment or key that ends with a colon: `as in the example below::`. */
const ANNOUNCES = /\b(?:examples?|sample|e\.g\.)(?![\w=])[^\n]{0,60}:{1,2}[ \t\r]*$/im;

/** Whether the lines above announce the value at the offset as an example. */
export function isAnnouncedExample(text: string, at: number): boolean {
  let from = text.lastIndexOf("\n", at - 1);
  const end = from;
  for (let line = 0; line < ANNOUNCING_LINES && from > 0; line++)
    from = text.lastIndexOf("\n", from - 1);
  return end > 0 && ANNOUNCES.test(text.slice(from + 1, end));
}
