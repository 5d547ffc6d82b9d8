/** Detects secrets by the name they are assigned to: `api_key = "f3b1…"`, `password: hunter2hunter2`. */

import { isAnnouncedExample, isExampleName, isPlaceholder } from "./placeholders.ts";

interface Assigned {
  /** The range of the value in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** A prefilter: a text without these substrings has no assigned secret. */
const HINT = /passw|passphrase|pwd|secret|token|credential|[a-z][_-]?key/i;

/** The end of a secret's name, with an optional suffix. */
const NAME =
  /(?:(passw(?:or)?d|passphrase|pwd)|secret|token|credentials?|(?:api|access|auth|app|account|client|encryption|master|private|secret|security|service|session|shared|signing|storage|webhook)[_-]?key)s?(?:[_-]?(?:key(?:[_-]?base)?|value|string|text|prod|production|live|dev|staging|base64|b64))?\d{0,2}(?![\w-])/gi;

/** Names of public values, such as `publicKeyToken`. */
const PUBLIC = /public[\w-]*$/i;

/** After the name: the quote of a key, a type, and the assignment operator. */
const ASSIGNS = /["'`\]]{0,2}[ \t]{0,8}(?::[ \t]?[\w&' ]{1,20}(?==))?(?:=>|:=|\?=|=|:)[ \t]{0,8}/y;
const QUOTED = /(?:[brf]|new String\()?(["'`])([^\s"'`]{8,200})\1/iy;
/** An unquoted value of a configuration file, up to the end of the line; not a call, member or variable. */
const BARE = /([A-Za-z0-9][\w+/=!@#%^&*~-]{7,199})[ \t]*(?:\r?\n|$|[ \t]#)/y;

/** The longest prefix of a name, in UTF-16 units. */
const MAX_PREFIX = 20;

/** Passwords are shorter than keys. */
const MIN_PASSWORD_LENGTH = 8;
const MIN_KEY_LENGTH = 16;

/** Entropy in bits per character: words and repetitions are below, random letters above. */
const MIN_PASSWORD_ENTROPY = 2.5;
const MIN_KEY_ENTROPY = 3;

/** Transitions between letters and digits: one or two in `oauth2` and `sha256`, many in random text. */
const MIN_CHANGES = 3;

/** Punctuation of passwords, which names and words do not have. */
const SYMBOL = /[!@#%^&*]/;

/** Values that are assigned to a secret's name and look random. */
export function assignedSecrets(text: string): Assigned[] {
  if (!HINT.test(text)) return [];
  const found: Assigned[] = [];
  for (const name of text.matchAll(NAME)) {
    const before = text.slice(Math.max(0, name.index - MAX_PREFIX), name.index);
    if (PUBLIC.test(before) || isExampleName(before)) continue;
    const value = valueAfter(text, name.index + name[0].length);
    if (value === undefined || !looksSecret(value.text, name[1] !== undefined)) continue;
    if (isAnnouncedExample(text, name.index)) continue;
    found.push({ start: value.start, end: value.start + value.text.length });
  }
  return found;
}

function valueAfter(text: string, at: number): { start: number; text: string } | undefined {
  ASSIGNS.lastIndex = at;
  const assigns = ASSIGNS.exec(text)?.[0];
  if (assigns === undefined) return undefined;
  const from = at + assigns.length;
  QUOTED.lastIndex = from;
  const quoted = QUOTED.exec(text);
  if (quoted !== null) {
    const value = quoted[2] ?? "";
    return { start: from + quoted[0].indexOf(value), text: value };
  }
  BARE.lastIndex = from;
  const bare = BARE.exec(text)?.[1];
  return bare === undefined ? undefined : { start: from, text: bare };
}

function looksSecret(value: string, isPassword: boolean): boolean {
  if (isPlaceholder(value)) return false;
  const length = isPassword ? MIN_PASSWORD_LENGTH : MIN_KEY_LENGTH;
  const entropy = isPassword ? MIN_PASSWORD_ENTROPY : MIN_KEY_ENTROPY;
  if (value.length < length || entropyOf(value) < entropy) return false;
  const changes = changesIn(value);
  if (isPassword) return changes > 0 || SYMBOL.test(value);
  return changes >= MIN_CHANGES || (changes > 0 && entropy + 1 < entropyOf(value));
}

/** Shannon entropy in bits per character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

function changesIn(text: string): number {
  return text.match(/[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])/g)?.length ?? 0;
}
