/** Recognizes files of credentials by path. They are never read. */

import { basename } from "node:path";

/** Names of credential files, in lower case. */
const SECRET_FILES = new Set(
  [
    // Settings of deployments, and credentials of tools.
    ".envrc .npmrc .yarnrc.yml .pypirc .netrc _netrc .pgpass .my.cnf .htpasswd .git-credentials .dockercfg",
    ".vault-token .terraformrc terraform.rc credentials.tfrc.json .s3cfg .boto .mailrc .msmtprc .fetchmailrc kubeconfig",
    "credentials master.key .dockerconfigjson .passwd-s3fs .smbcredentials .databrickscfg .sentryclirc rclone.conf",
    "application_default_credentials.json access_tokens.db wg0.conf",
    // Histories of shells and databases, which may contain passwords.
    ".bash_history .zsh_history .sh_history .psql_history .mysql_history .rediscli_history .python_history .node_repl_history",
    "credentials.json credentials.csv credentials.ini credentials.yml credentials.yaml credentials.toml",
    "client_secret.json client_secrets.json",
  ].flatMap((names) => names.split(" ")),
);
const SECRET_NAMES = [
  /^\.env([._-].+)?$|\.env$/,
  // Keys, certificates and key stores.
  /\.(pem|key|crt|cer|der|p7[bc]|p8|pk8|p12|pfx|jks|jceks|bks|bcfks|keystore|truststore|kdbx?|ppk|gpg|pgp|agekey|ovpn)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_\w+)?$/,
  /^service[-_]account.*\.json$|firebase-adminsdk.*\.json$|^gha-creds-.*\.json$/,
  /^secrets?(\.[\w-]+)+$(?<=\.(ya?ml|json|toml|ini))/,
  /\.kubeconfig$|\.tfvars(\.json)?$|\.tfstate(\..+)?$/,
];
/** Examples and templates of such files have no credentials. */
const EXAMPLE_NAME =
  /\.(example|sample|template|dist|defaults?)$|(^|[._-])(example|sample|template)([._-]|$)/;
/** Credential files in the folders of tools; other files there (`.docker/Dockerfile`) belong to the project. */
const SECRET_PLACE =
  /(^|\/)(\.ssh|\.gnupg|\.kube|\.config\/(gcloud|gh|rclone))\/|(^|\/)(\.aws\/(credentials|config|sso\/.*)|\.docker\/config\.json|\.azure\/[^/]*(token|profile)[^/]*|\.m2\/settings[^/]*\.xml|\.composer\/auth\.json)$/;

/** Whether a path names a file of credentials. */
export function isSecretFile(path: string): boolean {
  const lower = path.toLowerCase();
  if (SECRET_PLACE.test(lower)) return true;
  const name = basename(lower);
  const isNamed = SECRET_FILES.has(name) || SECRET_NAMES.some((each) => each.test(name));
  return isNamed && !EXAMPLE_NAME.test(name);
}

/** Whether tools store credentials in this folder. A link to it would hide their names. */
export function isSecretFolder(path: string): boolean {
  return /(^|\/)\.(ssh|gnupg|kube|aws|docker|azure)(\/|$)/i.test(path);
}
