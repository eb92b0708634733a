import { fileName } from "./text/fileName.ts";

/** Extensions of data files. With another extension, such as `.ts` or `.md`, a name like `secrets` is code or prose. */
const data = "json|jsonc|ya?ml|toml|ini|xml|properties|txt|env|csv|conf|cfg|enc|plist|pickle|db";

/** Names of files that hold keys or passwords, by their origin. Lower case, without the suffix of a copy. */
const secretNames = [
  // Environment variables.
  /^\.env(rc|[-_.].+)?$/,
  /.\.env$/,
  /^\.(flaskenv|dev\.vars(\..+)?)$/,
  // History of shells and database prompts.
  /^\.[\w-]*(history|histfile)([-.].+)?$/,
  /^(fish_history|consolehost_history\.txt|\.dbshell|\.lesshst|\.viminfo)$/,
  // Credentials of tools.
  /^[._](netrc|npmrc|pypirc|pgpass|htpasswd|htdigest|git-credentials|dockercfg|dockerconfigjson|smbcredentials)$/,
  /^\.(vault-token|s3cfg|boto|terraformrc|yarnrc\.ya?ml|my\.cnf|mylogin\.cnf|mysql_secret|erlang\.cookie|ftpconfig)$/,
  /^\.(msmtprc|esmtprc|fetchmailrc|mbsyncrc|offlineimaprc|rhosts)$/,
  /^(pgpass\.conf|rclone\.conf|terraform\.rc|auth\.json|hosts\.equiv|sftp(-config)?\.json|local\.settings\.json)$/,
  /^(settings-security|filezilla|sitemanager|recentservers)\.xml$/,
  /^\.?vault[-_]pass(word)?(\.txt)?$/,
  // Names that say so, `.secrets` and `app-credentials.yaml` included.
  new RegExp(`^\\.?(.+[-_.])?(credentials?|secrets?|passwords?|passwd|creds)(\\.(${data}))?$`),
  new RegExp(`^\\.?((access|api|auth|bearer|id|refresh)[-_.]?)?tokens?\\.(${data})$`),
  /^\.(access[-_]?|api[-_]?|auth[-_]?)?tokens?$/,
  new RegExp(`^\\.?(.+[-_.])?(api|private|secret|access)[-_]?keys?(\\.(${data}))?$`),
  // Accounts of cloud services and clusters.
  /^(.+[-_.])?(service[-_]?account|client[-_]?secrets?).*\.json$/,
  /firebase-adminsdk.*\.json$/,
  /^(gcp|gcloud|google|gha)[-_].*(key|creds?).*\.json$/,
  /^(.+[-_.])?kubeconfig([-_][\w-]+)?(\.(ya?ml|json|conf|txt))?$/,
  /\.(tfvars|tfstate)(\.json|\.backup|\..+\.backup)?$/,
  // SSH keys under common names, and host keys.
  /^id_(rsa|dsa|ecdsa|ed25519|xmss)([-_.].+)?$/,
  /^id_[\w-]+\.(old|bak|backup|orig|save)$/,
  /^.+[-_.](rsa|dsa|ecdsa|ed25519)$/,
  /^ssh_host_\w+_key$/,
  /^authorized_keys2?$/,
  // Key and password stores, and keys by their extension.
  /\.(pem|key|p8|p12|pfx|pkcs8|pkcs12|jks|jceks|bks|keystore|pvk|snk|ppk|keytab|keypair|agekey|asc|gpg|pgp|ovpn)$/,
  /\.(kdbx?|psafe3|1pif|agilekeychain|opvault|kwallet|keychain(-db)?)$/,
  /^(key[34]\.db|logins\.json|signons\.sqlite|login data|cookies\.(txt|json|sqlite))$/,
  // Blockchain wallets.
  /^(wallet\.(dat|json)|utc--\d{4}-.+|keystore([-_].+)?\.json)$/,
  /^(.+[-_.])?keypair\.json$/,
  /^(.+[-_.])?(mnemonic|(seed|recovery)[-_]?(phrase|words|codes?|key)|backup[-_]?codes?)(\.(txt|json))?$/,
];

/** Folders in which all files, or the named ones, hold keys and passwords. */
const secretPlaces = [
  /(^|\/)\.(ssh|gnupg|aws|password-store|secrets?)\/[^/]/,
  /(^|\/)\.(kube|docker|azure)\/[^/]+$/,
  /(^|\/)(\.config|appdata\/(roaming|local))\/(gcloud|op|sops|solana|github cli|gh)\/[^/]/,
  /(^|\/)(\.config\/hub|\.git\/config|\.m2\/settings\.xml|\.gradle\/gradle\.properties)$/,
  /(^|\/)(\.foundry\/keystores|\.local\/share\/keyrings|run\/secrets)\/[^/]/,
  /(^|\/)etc\/((g?shadow|master\.passwd|sudoers)-?|kubernetes\/[^/]+\.conf)$/,
];

const examples = "example|sample|template|tmpl|dist|defaults|schema";
/** Public keys, and templates: `.env.example`, `secrets.sample.yaml`. */
const harmlessNames = [
  /\.pub$/,
  new RegExp(`[-_.](${examples})(\\.(${data}))?$`),
  /^(example|sample|template)\.env$/,
];
/** Workflows refer to secrets and contain none. */
const harmlessPlaces = /(^|\/)\.(github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$/;

/** File systems have no longer names. Names that a model makes up may be longer. */
const longestName = 255;

/** True if the path looks like a file of keys or passwords by its name. False for `.env.example` and `id_rsa.pub`. */
export function looksSecret(path: string): boolean {
  // The dot of a pattern does not match a line break.
  const normal = path
    .replaceAll("\\", "/")
    .replace(/[\r\n\u2028\u2029]/g, "_")
    .toLowerCase();
  const name = fileName(normal).slice(-longestName);
  const names = [name, originalOf(name)];
  if (names.some((one) => harmlessNames.some((pattern) => pattern.test(one)))) return false;
  if (harmlessPlaces.test(normal)) return false;
  return (
    names.some((one) => secretNames.some((pattern) => pattern.test(one))) ||
    secretPlaces.some((pattern) => pattern.test(normal))
  );
}

/** The original name of a copy: of an editor's swap file, a backup, a duplicate. */
function originalOf(name: string): string {
  return (
    name
      // Windows opens the same file with these suffixes.
      .replace(/::\$data$/, "")
      .replace(/[. ]{1,8}$/, "")
      .replace(/^\.(.+)\.sw[a-p]$/, "$1")
      .replace(/^#(.+)#$/, "$1")
      .replace(/(~|\.(old|bak|backup|orig|save|saved|copy|tmp|\d{1,4})){1,4}$/, "")
      .replace(/ ?(\(\d{1,3}\)|(- )?copy( \d{1,3}| \(\d{1,3}\))?)(?=\.[^.]*$|$)/, "")
  );
}
