/** Recognises secrets: files that exist to hold them, and text in which one stands. What is recognised is never stored. */

import { basename } from "node:path";

/** Files that hold credentials by their nature, in lower case. */
const SECRET_FILES = new Set(
  [
    // Settings of a deployment, and of tools that log in somewhere.
    ".envrc .npmrc .yarnrc.yml .pypirc .netrc _netrc .pgpass .my.cnf .htpasswd .git-credentials .dockercfg",
    ".vault-token .terraformrc .s3cfg .boto .mailrc .msmtprc kubeconfig credentials master.key",
    "credentials.json credentials.csv credentials.ini credentials.yml credentials.yaml credentials.toml",
    "secret.json secret.yml secret.yaml secret.toml secret.ini secrets.json secrets.yml secrets.yaml",
    "secrets.toml secrets.ini client_secret.json client_secrets.json",
    "id_rsa id_dsa id_ecdsa id_ed25519",
  ].flatMap((names) => names.split(" ")),
);
const SECRET_NAME =
  /^\.env(\..+)?$|\.(pem|key|p12|pfx|jks|keystore|kdbx?|ppk|gpg|ovpn)$|^service[-_]account.*\.json$|\.tfvars(\.json)?$|\.tfstate(\.backup)?$/;
/** Examples and templates of such files hold none. */
const EXAMPLE_NAME =
  /\.(example|sample|template|dist|defaults?)$|(^|[._-])(example|sample|template)([._-]|$)/;
/** What tools keep in folders of their own; other files in them (`.docker/Dockerfile`) are a project's. */
const SECRET_PLACE =
  /(^|\/)(\.ssh|\.gnupg|\.kube)\/|(^|\/)(\.aws\/(credentials|config)|\.docker\/config\.json|\.azure\/[^/]*(token|profile)[^/]*)$/;

/** Whether a path names a file of credentials. */
export function isSecretFile(path: string): boolean {
  const lower = path.toLowerCase();
  if (SECRET_PLACE.test(lower)) return true;
  const name = basename(lower);
  return (SECRET_FILES.has(name) || SECRET_NAME.test(name)) && !EXAMPLE_NAME.test(name);
}

/** Whether a folder is one in which tools keep credentials; under another name its files would not be recognised. */
export function isSecretFolder(path: string): boolean {
  return /(^|\/)\.(ssh|gnupg|kube|aws|docker|azure)(\/|$)/i.test(path);
}

interface Pattern {
  /** Cheap to look for; without one of these the expression is not tried. */
  readonly hints: readonly string[];
  readonly expression: RegExp;
}

/** Forms that the issuers document, long enough that prose and placeholders do not match. */
const PATTERNS: readonly Pattern[] = [
  {
    hints: ["PRIVATE KEY"],
    // The first line of a key follows, in a file or in a string with its escapes; PGP has a header between.
    expression:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr]|["'+,]|(?:Version|Comment|Proc-Type|DEK-Info): .*)*[A-Za-z0-9+/=]{20}/,
  },
  { hints: ["AKIA", "ASIA"], expression: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/ },
  {
    hints: ["aws_secret", "AWS_SECRET", "SecretAccessKey"],
    expression:
      /(?:aws_?secret_?(?:access_?)?key|SecretAccessKey)["']?\s*[:=]+\s*["']?[A-Za-z0-9/+]{40}\b/i,
  },
  { hints: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], expression: /\bgh[pousr]_[A-Za-z0-9]{36,}/ },
  { hints: ["github_pat_"], expression: /\bgithub_pat_[A-Za-z0-9_]{60,}/ },
  { hints: ["glpat-"], expression: /\bglpat-[\w-]{20,}/ },
  { hints: ["xox"], expression: /\bxox[abeoprs]-[A-Za-z0-9-]{20,}/ },
  {
    hints: ["hooks.slack.com"],
    expression: /hooks\.slack\.com\/services\/T\w{6,}\/B\w{6,}\/\w{20,}/,
  },
  { hints: ["_live_", "_test_"], expression: /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{20,}/ },
  { hints: ["AIza"], expression: /\bAIza[\w-]{35}\b/ },
  { hints: ["ya29."], expression: /\bya29\.[\w-]{30,}/ },
  { hints: ["npm_"], expression: /\bnpm_[A-Za-z0-9]{36}\b/ },
  { hints: ["pypi-"], expression: /\bpypi-[\w-]{50,}/ },
  {
    hints: ["sk-"],
    expression: /\bsk-(?:ant-|proj-|svcacct-|or-)[\w-]{30,}|\bsk-[A-Za-z0-9]{48}\b/,
  },
  { hints: ["hf_"], expression: /\bhf_[A-Za-z0-9]{34,}\b/ },
  { hints: ["SG."], expression: /\bSG\.[\w-]{22}\.[\w-]{43}\b/ },
  { hints: ["dop_v1_"], expression: /\bdop_v1_[0-9a-f]{64}\b/ },
  { hints: ["shpat_", "shpss_"], expression: /\bshp(?:at|ss)_[0-9a-fA-F]{32}\b/ },
  { hints: ["AccountKey="], expression: /\bAccountKey=[A-Za-z0-9+/]{60,}={0,2}/ },
  { hints: ["hvs."], expression: /\bhvs\.[\w-]{24,}/ },
  { hints: ["key-"], expression: /\bkey-[0-9a-f]{32}\b/ },
  { hints: ["eyJ"], expression: /\beyJ[\w-]{15,}\.eyJ[\w-]{15,}\.[\w-]{20,}/ },
  {
    hints: ["://"],
    expression:
      /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|ftp|sftp|smtps?|https?):\/\/[^\s:/@"'`<>{}$]+:(?!(?:pass(?:word)?|pw|pwd|secret|changeme|example|\*+|x+|\.+|your[\w-]*)@)[^\s:/@"'`<>{}$%]{6,}@(?!localhost\b|127\.|example\.|host\b|0\.0\.0\.0)[\w.-]+/i,
  },
];

/** Whether a private key, a token of a known service, or an address with a password stands in the text. */
export function containsSecret(text: string): boolean {
  return PATTERNS.some(
    ({ hints, expression }) => hints.some((hint) => text.includes(hint)) && expression.test(text),
  );
}
