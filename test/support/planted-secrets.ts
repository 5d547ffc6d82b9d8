/** Made-up secrets of many kinds, assembled from parts so that no scanner reports this file. */

import { random } from "./random.ts";

export interface Planted {
  readonly kind: string;
  /** The path and the whole content of the file with the secret. */
  readonly path: string;
  readonly content: string;
  /** The texts that must not be stored or shown. */
  readonly secret: string;
}

const chance = random(20);
const of = (alphabet: string) => (length: number) =>
  Array.from({ length }, () => chance.pick(alphabet.split(""))).join("");
const letters = of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");
const upper = of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567");
const small = of("abcdefghijklmnopqrstuvwxyz0123456789");
const hex = of("0123456789abcdef");
const digits = of("123456789");
const join = (...parts: string[]) => parts.join("");
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** A key as its program writes it; `secret` is a line in the middle, far from its first. */
function keyBlock(name: string, dashes = "-----", lines = 40): { text: string; secret: string } {
  const rows = Array.from({ length: lines }, () => letters(64));
  const secret = rows[Math.floor(lines / 2)] ?? "";
  const [begin, end] = ["BEGIN", "END"].map((word) => `${dashes}${word} ${name}${dashes}`);
  return { text: [begin, ...rows, end, ""].join("\n"), secret };
}

/** Tokens recognized by their form. */
const TOKENS: Readonly<Record<string, string>> = {
  "AWS access key": join("AK", "IA", upper(16)),
  "AWS temporary key": join("AS", "IA", upper(16)),
  "Google API key": join("AI", "za", letters(35)),
  "Google access token": join("ya", "29.", letters(60)),
  "Google client secret": join("GOC", "SPX-", letters(28)),
  "Azure client secret": join(letters(3), "8", "Q~", letters(34)),
  "Azure DevOps token": join(letters(76), "AZ", "DO", letters(4)),
  "GitHub token": join("gh", "p_", letters(36)),
  "GitHub app token": join("gh", "s_", letters(36)),
  "GitHub fine-grained token": join("github", "_pat_", letters(22), "_", letters(59)),
  "GitLab token": join("gl", "pat-", letters(20)),
  "GitLab runner token": join("gl", "rt-", letters(20)),
  "Slack bot token": join("xo", "xb-", digits(12), "-", digits(12), "-", letters(24)),
  "Slack app token": join(
    "xa",
    "pp-1-A",
    upper(9).replaceAll(/\D/g, "B"),
    "-",
    digits(12),
    "-",
    hex(64),
  ),
  "Stripe key": join("sk", "_live_", letters(24)),
  "Stripe restricted key": join("rk", "_live_", letters(24)),
  "Stripe webhook secret": join("wh", "sec_", letters(32)),
  "Twilio key": join("S", "K", hex(32)),
  "SendGrid key": join("S", "G.", letters(22), ".", letters(43)),
  "Mailgun key": join("ke", "y-", hex(32)),
  "Mailchimp key": join(hex(32), "-us", "14"),
  "npm token": join("np", "m_", letters(36)),
  "PyPI token": join("py", "pi-", letters(80)),
  "RubyGems key": join("ruby", "gems_", hex(48)),
  "crates.io token": join("ci", "o", letters(31), "7"),
  "NuGet key": join("oy", "2", small(43)),
  "Docker Hub token": join("dckr", "_pat_", letters(27)),
  "JSON web token": join("ey", "J", letters(20), ".ey", "J", letters(30), ".", letters(43)),
  "OpenAI key": join("s", "k-proj-", letters(48)),
  "Anthropic key": join("s", "k-ant-api03-", letters(80)),
  "Hugging Face token": join("h", "f_", letters(34)),
  "Groq key": join("gs", "k_", letters(52)),
  "DigitalOcean token": join("dop", "_v1_", hex(64)),
  "Shopify token": join("shp", "at_", hex(32)),
  "Vault token": join("hv", "s.", letters(90)),
  "Databricks token": join("da", "pi", hex(32)),
  "New Relic key": join("NR", "AK-", upper(27)),
  "Grafana token": join("gl", "sa_", letters(32), "_", hex(8)),
  "Sentry token": join("sntry", "u_", hex(64)),
  "Linear key": join("lin", "_api_", letters(40)),
  "Notion token": join("nt", "n_", letters(46)),
  "Atlassian token": join("ATA", "TT3xFfGF0", letters(120)),
  "Terraform Cloud token": join(letters(14), ".atlas", "v1.", letters(67)),
  "Pulumi token": join("pu", "l-", hex(40)),
  "Supabase token": join("sb", "p_", hex(40)),
  "Airtable token": join("pa", "t", letters(14), ".", hex(64)),
  "Postman key": join("PM", "AK-", hex(24), "-", hex(34)),
  "Telegram bot token": join(digits(10), ":A", "A", letters(33)),
  "Alibaba key": join("LT", "AI", letters(20)),
  "Doppler token": join("d", "p.pt.", letters(43)),
  "age key": join("AGE-SECRET", "-KEY-1", upper(58)),
  "Square token": join("sq", "0atp-", letters(22)),
};

/** Secrets recognized by their context. */
const AROUND: readonly [kind: string, secret: string, text: (secret: string) => string][] = [
  ["AWS secret key", letters(40), (s) => `aws_secret_access_key = ${s}`],
  ["AWS session token", letters(300), (s) => `export AWS_SESSION_TOKEN="${s}"`],
  [
    "Azure storage key",
    letters(86),
    (s) => `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${s}==;`,
  ],
  [
    "Azure bus key",
    letters(43),
    (s) => `Endpoint=sb://x/;SharedAccessKeyName=Root;SharedAccessKey=${s}=`,
  ],
  [
    "Azure signed address",
    letters(43),
    (s) => `https://x.blob.core.windows.net/y?sv=2023&sig=${s}%3D`,
  ],
  [
    "Slack hook",
    letters(24),
    (s) => `https://hooks.slack.com/services/T0${upper(8)}/B0${upper(8)}/${s}`,
  ],
  ["Discord hook", letters(68), (s) => `https://discord.com/api/webhooks/${digits(18)}/${s}`],
  ["Discord bot", letters(38), (s) => `DISCORD_TOKEN = "M${letters(23)}.${letters(6)}.${s}"`],
  ["Twilio secret", hex(32), (s) => `twilio_auth_token: "${s}"`],
  ["Datadog key", hex(32), (s) => `DD_API_KEY=${s}`],
  ["npm login", letters(30), (s) => `//registry.example.org/:_authToken=${s}`],
  ["netrc line", letters(14), (s) => `machine api.example.org login deploy password ${s}`],
  ["Docker login", letters(40), (s) => `{"auths": {"registry.example.org": {"auth": "${s}"}}}`],
  ["Postgres address", letters(16), (s) => `postgresql://app:${s}@db.internal:5432/shop`],
  ["MySQL address", letters(16), (s) => `mysql://app:${s}@10.0.0.7/shop`],
  ["MongoDB address", letters(16), (s) => `mongodb+srv://app:${s}@cluster0.abcde.mongodb.net/shop`],
  ["Redis address", letters(16), (s) => `redis://:${s}@cache.internal:6379/0`],
  ["AMQP address", letters(16), (s) => `amqps://app:${s}@queue.internal/vhost`],
  ["basic login", letters(16), (s) => `https://deploy:${s}@git.internal/shop.git`],
  [
    "SQL Server text",
    letters(16),
    (s) => `Server=db.internal;Database=shop;User Id=app;Password=${s};`,
  ],
  ["JDBC address", letters(16), (s) => `jdbc:mysql://db.internal:3306/shop?user=app&password=${s}`],
  [
    "WireGuard key",
    `${letters(43)}=`,
    (s) => `[Interface]\nPrivateKey = ${s}\nAddress = 10.0.0.1/24`,
  ],
];

/** Files that count as secret because of their names. */
const FILES = [
  ...".env .env.local .env.production .env-staging deploy/prod.env .envrc".split(" "),
  ...".netrc .npmrc .pypirc .pgpass .my.cnf .htpasswd .git-credentials".split(" "),
  ...".dockercfg .docker/config.json .kube/config ops/kubeconfig".split(" "),
  ..."ops/prod.kubeconfig .aws/credentials .azure/accessTokens.json".split(" "),
  ...".config/gcloud/legacy.json gcp/service-account-prod.json".split(" "),
  ..."app-firebase-adminsdk-1.json infra/terraform.tfstate".split(" "),
  ..."infra/terraform.tfstate.backup infra/prod.tfvars .terraformrc".split(" "),
  ...".vault-token .ssh/config keys/id_ed25519 keys/id_rsa_work".split(" "),
  ..."tls/server.key tls/server.crt tls/server.pem tls/store.jks".split(" "),
  ..."tls/store.p12 tls/store.pfx tls/debug.keystore vpn/office.ovpn".split(" "),
  ..."passwords.kdbx win/session.ppk config/master.key secrets.yaml".split(" "),
  ..."secrets.prod.yaml credentials.json client_secret.json .bash_history".split(" "),
  ...".s3cfg rclone.conf".split(" "),
];

const KEYS = [
  "RSA PRIVATE KEY",
  "EC PRIVATE KEY",
  "DSA PRIVATE KEY",
  "PRIVATE KEY",
  "ENCRYPTED PRIVATE KEY",
  "OPENSSH PRIVATE KEY",
  "PGP PRIVATE KEY BLOCK",
].map((name) => [name, keyBlock(name)] as const);

/** Places for a token; the surrounding lines may be found. */
const PLACES: readonly ((secret: string, n: number) => readonly [name: string, text: string])[] = [
  (s, n) => [
    `client_${n}.py`,
    `# Client ${n}\ndef connect_${n}(client):\n    key = "${s}"\n    return client.login(key)\n`,
  ],
  (s, n) => [`values_${n}.yaml`, `service:\n  name: shop${n}\n  token: ${s}\n  port: 80\n`],
  (s, n) => [`notes_${n}.md`, `# Notes ${n}\n\nThe robot logs in with \`${s}\` on Mondays.\n`],
  (s, n) => [`conf_${n}.json`, `{"name": "shop${n}", "token": "${s}"}`],
  (s, n) => [`run_${n}.sh`, `#!/bin/sh\r\nexport TOKEN=${s}\r\nexec shop${n}`],
  // In the middle of a line that is cut into pieces.
  (s, n) => [
    `long_${n}.txt`,
    `${"lorem ipsum ".repeat(120 + (n % 7))} ${s} ${"dolor sit ".repeat(300)}`,
  ],
];

/** Each kind once, in one of the places where such things are left. */
export function plantedSecrets(): readonly Planted[] {
  const tokens = Object.entries(TOKENS).map(([kind, secret], n): Planted => {
    const [name, content] = (PLACES[n % PLACES.length] as (typeof PLACES)[number])(secret, n);
    return { kind, path: `src/${name}`, content, secret };
  });
  const around = AROUND.map(([kind, secret, text], n): Planted => {
    return {
      kind,
      path: `conf/c${n}.txt`,
      content: `first line ${n}\n${text(secret)}\nlast line\n`,
      secret,
    };
  });
  const files = FILES.map((path): Planted => {
    const secret = letters(24);
    return { kind: path, path, content: `value_of_${letters(5)} ${secret}\n`, secret };
  });
  const keys = KEYS.map(([kind, { text, secret }], n): Planted => {
    const quoted = JSON.stringify({ type: "service_account", private_key: text });
    return {
      kind,
      path: `src/key${n}.${n % 2 === 0 ? "txt" : "json"}`,
      content: n % 2 === 0 ? text : quoted,
      secret,
    };
  });
  const inBase64 = keyBlock("RSA PRIVATE KEY");
  const encoded = base64(inBase64.text);
  const putty = Array.from({ length: 40 }, () => letters(64));
  return [
    ...tokens,
    ...around,
    ...files,
    ...keys,
    {
      kind: "key in base64",
      path: "k8s/tls.yaml",
      content: `kind: Secret\ndata:\n  tls.key: ${encoded}\n`,
      secret: encoded.slice(1_000, 1_080),
    },
    {
      kind: "PuTTY key",
      path: "src/putty.txt",
      content: `PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPrivate-Lines: 40\n${putty.join("\n")}\nPrivate-MAC: ${hex(40)}\n`,
      secret: putty[30] ?? "",
    },
    { kind: "OpenVPN key", ...openVpn() },
  ];
}

function openVpn(): Omit<Planted, "kind"> {
  const rows = Array.from({ length: 16 }, () => hex(32));
  const name = join("OpenVPN Static", " key V1");
  const content = [`-----BEGIN ${name}-----`, ...rows, `-----END ${name}-----`, ""].join("\n");
  return { path: "src/office.txt", content, secret: rows[8] ?? "" };
}
