/** Detects secrets in text: tokens of known services, private keys, passwords in URLs and assigned secrets. */

import { assignedSecrets } from "./assigned-secrets.ts";
import { HintFinder, HintSkipper } from "./multi-pattern-search.ts";
import { isExampleToken, isRepetition } from "./placeholders.ts";

/**
 * Token formats documented by their issuers, long enough that prose and placeholders do not match. Each has a hint, a
 * substring to look for first. Tokens do not span lines.
 */
const FORMS: readonly (readonly [hint: string, expression: RegExp])[] = [
  // Clouds.
  ["AKIA", /\bAKIA[0-9A-Z]{16}\b/],
  ["ASIA", /\bASIA[0-9A-Z]{16}\b/],
  ["AIza", /\bAIza[\w-]{35}\b/],
  ["ya29.", /\bya29\.[\w-]{30,}/],
  ["GOCSPX-", /\bGOCSPX-[\w-]{28}\b/],
  ["AccountKey=", /\bAccountKey=[A-Za-z0-9+/]{60,}={0,2}/],
  ["SharedAccessKey=", /\bSharedAccessKey=[A-Za-z0-9+/]{43}=/],
  ["sig=", /[?&]sig=(?:[A-Za-z0-9/+]|%2[BFbf]){43}(?:=|%3[Dd])/],
  ["Q~", /\b\w{3}[0-9]Q~[\w.~-]{31,34}/],
  ["AZDO", /\b[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}\b/],
  ["_v1_", /\bdo[opr]_v1_[0-9a-f]{64}\b/],
  ["LTAI", /\bLTAI[A-Za-z0-9]{20}\b/],
  ["AKID", /\bAKID[A-Za-z0-9]{32}\b/],
  ["dapi", /\bdapi[0-9a-f]{32}\b/],
  ["HRKU-", /\bHRKU-[\w-]{36,}/],
  ["nfp_", /\bnfp_[A-Za-z0-9]{36,}\b/],
  ["sbp_", /\bsbp_[0-9a-f]{40}\b/],
  ["pscale_", /\bpscale_(?:tkn|pw|oauth)_[\w.-]{32,}/],
  ["v1.0-", /\bv1\.0-[0-9a-f]{24}-[0-9a-f]{146}\b/],
  ["FlyV1 ", /\bFlyV1 fm[12]\w?_[A-Za-z0-9+/=]{40,}/],
  // Code hosting and CI.
  ["gh", /\bgh[pousr]_[A-Za-z0-9]{36,}/],
  ["github_pat_", /\bgithub_pat_[A-Za-z0-9_]{60,}/],
  ["gl", /\bgl(?:pat|ptt|dt|rt|cbt|ft|soat|imt|agent|oas)-[\w-]{20,}/],
  ["ATATT3", /\bATATT3[\w=-]{60,}/],
  ["ATBB", /\bATBB[A-Za-z0-9]{28,}\b/],
  ["npm_", /\bnpm_[A-Za-z0-9]{36}\b/],
  ["pypi-", /\bpypi-[\w-]{50,}/],
  ["rubygems_", /\brubygems_[0-9a-f]{48}\b/],
  ["cio", /\bcio(?=[A-Za-z]*\d)[A-Za-z0-9]{32}\b/],
  ["oy2", /\boy2[a-z0-9]{43}\b/],
  ["AKCp", /\bAKCp[A-Za-z0-9]{60,}/],
  ["dckr_", /\bdckr_[po]at_[\w-]{27,}/],
  [".atlasv1.", /\b\w{14}\.atlasv1\.[\w-]{60,}/],
  ["pul-", /\bpul-[0-9a-f]{40}\b/],
  ["hvs.", /\bhvs\.[\w-]{24,}/],
  ["hvb.", /\bhvb\.[\w-]{24,}/],
  ["dp.", /\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]+\.)?[A-Za-z0-9]{40,44}\b/],
  ["ops_eyJ", /\bops_eyJ[\w-]{100,}/],
  // Services.
  ["xox", /\bxox[abeoprs]-[A-Za-z0-9-]{20,}/],
  ["xapp-", /\bxapp-\d-[A-Z0-9]{8,}-\d{8,}-[0-9a-f]{32,}/],
  [
    "hooks.slack.com",
    /hooks\.slack\.com\/(?:services|workflows|triggers)\/[TE]\w{6,}\/\w{6,}\/\w{20,}/,
  ],
  ["/api/webhooks/", /discord(?:app)?\.com\/api\/webhooks\/\d{17,}\/[\w-]{60,}/],
  ["iscord", /\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}/],
  ["ISCORD", /\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}/],
  [":AA", /\b\d{8,10}:AA[\w-]{33}\b/],
  ["_live_", /\b(?:sk|rk)_live_[A-Za-z0-9]{20,}/],
  ["_test_", /\b(?:sk|rk)_test_[A-Za-z0-9]{20,}/],
  ["whsec_", /\bwhsec_[A-Za-z0-9+/]{32,}/],
  ["SK", /\bSK[0-9a-f]{32}\b/],
  ["SG.", /\bSG\.[\w-]{22}\.[\w-]{43}\b/],
  ["key-", /\bkey-[0-9a-f]{32}\b/],
  ["-us", /\b[0-9a-f]{32}-us\d{1,2}\b/],
  ["sq0", /\bsq0(?:atp|csp)-[\w-]{22,}/],
  ["shp", /\bshp(?:at|ss|ca|pa)_[0-9a-fA-F]{32}\b/],
  ["NRAK-", /\bNRAK-[A-Z0-9]{27}\b/],
  ["glsa_", /\bglsa_\w{32,}/],
  ["glc_", /\bglc_[A-Za-z0-9+/=]{32,}/],
  ["sntry", /\bsntry[su]_[\w+/=-]{40,}/],
  ["lin_api_", /\blin_api_[A-Za-z0-9]{40}\b/],
  ["ntn_", /\bntn_[A-Za-z0-9]{40,}\b/],
  ["pat", /\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b/],
  ["PMAK-", /\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}\b/],
  ["sk-", /\bsk-(?:ant-|proj-|svcacct-|or-)[\w-]{30,}|\bsk-[A-Za-z0-9]{48}\b/],
  ["hf_", /\bhf_[A-Za-z0-9]{34,}\b/],
  ["gsk_", /\bgsk_[A-Za-z0-9]{52}\b/],
  ["r8_", /\br8_[A-Za-z0-9]{37}\b/],
  ["xai-", /\bxai-[A-Za-z0-9]{80}\b/],
  ["pplx-", /\bpplx-[A-Za-z0-9]{48}\b/],
  // A token may begin after each dash, so the length is limited.
  ["eyJ", /(?:(?<![\w-])eyJ[\w-]{15,}|(?<=-)eyJ[\w-]{15,400})\.eyJ[\w-]{15,}\.[\w-]{20,}/],
  ["AGE-SECRET-KEY-", /\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b/],
];

/** The first characters of private keys in base64, as in Kubernetes secrets, by kind of key. */
const KEY_BEGINNINGS = ["RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ", ""].map((kind) => {
  const text = Buffer.from(`-----BEGIN ${kind}PRIVATE KEY-----`).toString("base64");
  // The last characters depend on the bytes that follow.
  return text.replace(/=+$/, "").slice(0, -3);
});

/** Private keys of many lines: their first line and their body. */
const KEYS: readonly { hint: string; begin: RegExp; end: RegExp }[] = [
  {
    hint: "PRIVATE KEY",
    // The first line of the key follows, in a file or in an escaped string; PGP has headers in between. The lookahead
    // group makes headers atomic: backtracking into headers on one line would take exponential time.
    begin:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr]|["'+,]|(?=((?:Version|Comment|Proc-Type|DEK-Info): (?:(?!\\[nr])[^\r\n"'])*))\1)*[A-Za-z0-9+/=]{20}/g,
    end: /-----END /g,
  },
  {
    hint: "SSH2 ENCRYPTED PRIVATE KEY",
    begin: /---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----[^]{0,400}?[A-Za-z0-9+/=]{40}/g,
    end: /---- END /g,
  },
  {
    hint: "PuTTY-User-Key-File-",
    begin: /PuTTY-User-Key-File-\d:[^]{0,8000}?Private-Lines: \d+\s+[A-Za-z0-9+/=]{20}/g,
    end: /Private-MAC:/g,
  },
  {
    hint: "OpenVPN Static key",
    begin: /-----BEGIN OpenVPN Static key V1-----\s+[0-9a-f]{20}/g,
    end: /-----END /g,
  },
  {
    hint: "LS0tLS1CRUdJTi",
    begin: new RegExp(KEY_BEGINNINGS.join("|"), "g"),
    end: /[^A-Za-z0-9+/=]/g,
  },
];

/** The longest key in use (RSA with 16,384 bits) has about 13,000 characters; a third more with another base64 layer. */
const MAX_KEY_LENGTH = 18_000;

function* keysIn(text: string, present: ReadonlySet<string>): Generator<SecretSpan> {
  for (const { hint, begin, end } of KEYS) {
    if (!present.has(hint)) continue;
    for (const { index: start } of text.matchAll(begin)) {
      end.lastIndex = start + 1;
      const last = end.exec(text)?.index ?? text.length;
      yield { start, end: Math.min(last, start + MAX_KEY_LENGTH) };
    }
  }
}

/** Values at the position of a password that are not passwords. */
const PLACEHOLDER =
  "(?:pass(?:word)?|pw|pwd|s[e3]cr[e3]t|changeme|example[\\w-]*|(.)\\1*|your[\\w-]*|my[-_][a-z_-]*)";
/** Local and reserved host names (RFC 2606, RFC 6761). */
const NO_HOST =
  "(?:localhost\\b|127\\.|host\\b|0\\.0\\.0\\.0|(?:[\\w-]+\\.)*example(?:\\.|\\b(?!-))|(?:[\\w-]+\\.)+(?:test|invalid|localhost)(?![\\w.-]))";
const SCHEMES =
  "postgres(?:ql)?|mysql|mariadb|mongodb(?:\\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse|cassandra|neo4j|bolt|nats|mqtts?|ldaps?|ftp|sftp|smtps?|imaps?|https?";

/** `secret` alone would be too common a hint: a fifth of the files of a small repository have it. */
const AWS_HINTS = ["secret", "SECRET", "Secret"]
  .flatMap((secret) => [
    ...["aws", "aws_", "AWS", "AWS_", "Aws", "Aws_"].map((before) => before + secret),
    ...["accesskey", "ACCESSKEY", "AccessKey"].map((after) => secret + after),
  ])
  .concat("session_token", "SESSION_TOKEN", "SessionToken", "sessiontoken", "SESSIONTOKEN");

interface Named {
  /** A prefilter: the expression is tried only if one of these substrings occurs. */
  readonly hints: readonly string[];
  readonly expression: RegExp;
  /** False if the white space in the expression may match a line end. */
  readonly isInOneLine?: true;
}

/** Passwords recognized by the text before them; `$NAME`, `{name}` and `<name>` are placeholders. */
const NAMED: readonly Named[] = [
  {
    hints: ["PrivateKey", "PresharedKey"],
    isInOneLine: true,
    expression: /^[ \t]*(?:PrivateKey|PresharedKey)[ \t]*=[ \t]*[A-Za-z0-9+/]{43}=[ \t\r]*$/m,
  },
  {
    hints: AWS_HINTS,
    expression:
      /(?:aws_?secret_?(?:access_?)?key|SecretAccessKey)["']?\s*[:=]+\s*["']?[A-Za-z0-9/+]{40}\b|aws_?session_?token["']?\s*[:=]+\s*["']?[A-Za-z0-9/+=]{100,}/i,
  },
  {
    hints: ["twilio", "TWILIO", "Twilio"],
    expression: /twilio\w{0,40}?(?:token|secret)["']?\s*[:=]+\s*["']?[0-9a-f]{32}\b/i,
  },
  {
    hints: ["DD_API_KEY", "DD_APP_KEY", "datadog"],
    expression: /\b(?:DD|datadog)_(?:API|APP)_KEY["']?\s*[:=]+\s*["']?[0-9a-f]{32,40}\b/i,
  },
  {
    hints: ["_authToken", "_auth=", "_password="],
    expression: /(?:^|:|\s)_(?:authToken|auth|password)\s*=\s*["']?(?![$<{])[\w+/=.-]{16,}/m,
  },
  {
    hints: ["machine "],
    expression: new RegExp(
      `\\bmachine\\s+\\S+\\s+login\\s+\\S+\\s+password\\s+(?![$<{]|${PLACEHOLDER}(?:\\s|$))\\S{6,}`,
    ),
  },
  {
    hints: ['"auths"'],
    expression: /"auths"\s*:\s*\{[^]{0,300}?"auth"\s*:\s*"[A-Za-z0-9+/]{16,}={0,2}"/,
  },
  {
    hints: ["assword=", "assword =", "PASSWORD=", "Pwd=", "pwd="],
    // ADO.NET, ODBC and JDBC connection strings include the host.
    expression: new RegExp(
      `(?:(?:Server|Host|Data Source|Driver)\\s*=[^;"'\\n]{2,200};[^"'\\n]{0,200}?\\b(?:Password|Pwd)\\s*=\\s*|jdbc:[a-z0-9:]+//[^\\s"']{3,200}[?&;]password=)(?!${PLACEHOLDER}(?:[;&"'\\s]|$))[^\\s;&"'<>{}$%*]{6,}`,
      "i",
    ),
  },
  {
    hints: ["://"],
    isInOneLine: true,
    expression: new RegExp(
      `\\b(?:${SCHEMES})://[^\\s:/@"'\`<>{}$]*:(?!${PLACEHOLDER}@)[^\\s:/@"'\`<>{}$%]{6,}@(?!${NO_HOST})[\\w.-]+`,
      "i",
    ),
  },
];

const NAMED_ACROSS_LINES = NAMED.filter(({ isInOneLine }) => isInOneLine !== true);

const HINTS = new HintFinder([
  ...KEYS.map(({ hint }) => hint),
  ...FORMS.map(([hint]) => hint),
  ...NAMED.flatMap(({ hints }) => hints),
]);

const HINTS_ACROSS_LINES = new HintSkipper([
  ...KEYS.map(({ hint }) => hint),
  ...NAMED_ACROSS_LINES.flatMap(({ hints }) => hints),
]);

/** The hints in UTF-8 text of secrets that may span lines. All other secrets are within one line. */
export function hintsAcrossLines(text: Uint8Array): ReadonlySet<string> {
  return HINTS_ACROSS_LINES.find(text);
}

/** The secrets that may span lines, given the hints that occur in the text. */
export function secretsAcrossLines(text: string, hints: ReadonlySet<string>): SecretSpan[] {
  return [...keysIn(text, hints), ...namedIn(text, hints, NAMED_ACROSS_LINES)];
}

/** A range in UTF-16 units; `end` is exclusive. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
}

/** Finds private keys, tokens of known services, URLs with a password, and values assigned to a secret's name. */
export function secretsIn(text: string): SecretSpan[] {
  const present = HINTS.find(text);
  if (present.size === 0) return assignedSecrets(text);
  const found = [...keysIn(text, present)];
  for (const [hint, expression] of FORMS) {
    if (present.has(hint)) found.push(...matches(text, expression, isExampleToken));
  }
  found.push(...namedIn(text, present, NAMED), ...assignedSecrets(text));
  return found;
}

export function containsSecret(text: string): boolean {
  return secretsIn(text).length > 0;
}

function namedIn(
  text: string,
  present: ReadonlySet<string>,
  named: readonly Named[],
): SecretSpan[] {
  return named
    .filter(({ hints }) => hints.some((hint) => present.has(hint)))
    .flatMap(({ expression }) => matches(text, expression, isRepetition));
}

function matches(
  text: string,
  expression: RegExp,
  isNone: (match: string) => boolean,
): SecretSpan[] {
  const all = [...text.matchAll(new RegExp(expression, `g${expression.flags}`))];
  return all
    .filter(({ 0: match }) => !isNone(match))
    .map(({ index, 0: match }) => ({ start: index, end: index + match.length }));
}
