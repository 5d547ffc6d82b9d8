/** Tells values that have the form of a secret, and were made to be shown. */

/** Filled in later, or an example. */
const PLACEHOLDER =
  /example|change|your|placeholder|dummy|sample|test|fake|mock|redacted|insert|replace|xxx|\.\.\.|\*\*\*|[<>{}()]|\$|%s|%\(|:\/\/|^(?:\.{1,2}|~|@[\w-]+)\/|none|null|undefined|foo|bar|1234|abcd|passw|s[e3]cr[e3]t|token|credential|qwerty|lorem|hello|world/i;

/** Of a random token in hexadecimal, one of 16 characters is as the one before. */
const REPEATED_SHARE = 0.5;

const BASE64 = /^(?:[A-Za-z0-9+/]{4}){2,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const PRINTABLE = /^[ -~]+$/;

/** Whether a value of a name such as `password` is none; also where it is the text of one in base64. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || PLACEHOLDER.test(textInBase64(value));
}

/** Whether a token has the form that its issuer documents, and says itself that it is none: `AKIAXXXXXXXXXXXXXXXX`. */
export function isExampleToken(token: string): boolean {
  return isRepetition(token) || /example/i.test(token);
}

/** One character again and again, behind a mark that tells the kind of the token: `xoxb-0000000000-XXXXXXXXXX`. */
export function isRepetition(value: string): boolean {
  let repeated = 0;
  for (let i = 1; i < value.length; i++) if (value[i] === value[i - 1]) repeated++;
  return repeated >= value.length * REPEATED_SHARE;
}

/** Empty for what is none: random bytes are not printable. */
function textInBase64(value: string): string {
  if (!BASE64.test(value)) return "";
  const text = Buffer.from(value, "base64").toString("latin1");
  return PRINTABLE.test(text) ? text : "";
}

/** Of a name, up to where it says of what kind the secret is: `DUMMY_API_KEY`, `exampleToken`. */
const EXAMPLE_NAME = /(?:example|dummy|fake|sample|placeholder|mock)[\w-]*$/i;

export function isExampleName(before: string): boolean {
  return EXAMPLE_NAME.test(before);
}

/** How many lines above a value may announce it: with an empty one between, as in documents. */
export const ANNOUNCING_LINES = 2;
/** A sentence, a comment or a key that ends with a colon: `as in the example below::`. */
const ANNOUNCES = /\b(?:examples?|sample|e\.g\.)(?![\w=])[^\n]{0,60}:{1,2}[ \t\r]*$/im;

/** Whether the text above says that the value at the offset is an example. */
export function isAnnouncedExample(text: string, at: number): boolean {
  let from = text.lastIndexOf("\n", at - 1);
  const end = from;
  for (let line = 0; line < ANNOUNCING_LINES && from > 0; line++)
    from = text.lastIndexOf("\n", from - 1);
  return end > 0 && ANNOUNCES.test(text.slice(from + 1, end));
}
