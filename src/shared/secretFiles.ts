/** Extensions of plain data. With another one, such as `.ts` or `.md`, a telling name is that of code or prose. */
const data = "json|jsonc|ya?ml|toml|ini|xml|properties|txt|env|csv|conf|cfg|enc|plist|pickle|db";

/** Names of files that hold keys or passwords, by what puts them there. Lower case, without the mark of a copy. */
const secretNames = [
  // Variables of an environment.
  /^\.env(rc|[-_.].+)?$/,
  /.\.env$/,
  /^\.(flaskenv|dev\.vars(\..+)?)$/,
  // What was typed into a shell or a database's prompt.
  /^\.[\w-]*(history|histfile)([-.].+)?$/,
  /^(fish_history|consolehost_history\.txt|\.dbshell|\.lesshst|\.viminfo)$/,
  // Files in which tools keep their sign-in.
  /^[._](netrc|npmrc|pypirc|pgpass|htpasswd|htdigest|git-credentials|dockercfg|dockerconfigjson|smbcredentials)$/,
  /^\.(vault-token|s3cfg|boto|terraformrc|yarnrc\.ya?ml|my\.cnf|mylogin\.cnf|mysql_secret|erlang\.cookie|ftpconfig)$/,
  /^\.(msmtprc|esmtprc|fetchmailrc|mbsyncrc|offlineimaprc|rhosts)$/,
  /^(pgpass\.conf|rclone\.conf|terraform\.rc|auth\.json|hosts\.equiv|sftp(-config)?\.json|local\.settings\.json)$/,
  /^(settings-security|filezilla|sitemanager|recentservers)\.xml$/,
  /^\.?vault[-_]pass(word)?(\.txt)?$/,
  // What names itself so, `.secrets` and `app-credentials.yaml` included.
  new RegExp(`^\\.?(.+[-_.])?(credentials?|secrets?|passwords?|passwd|creds)(\\.(${data}))?$`),
  new RegExp(`^\\.?((access|api|auth|bearer|id|refresh)[-_.]?)?tokens?\\.(${data})$`),
  /^\.(access[-_]?|api[-_]?|auth[-_]?)?tokens?$/,
  new RegExp(`^\\.?(.+[-_.])?(api|private|secret|access)[-_]?keys?(\\.(${data}))?$`),
  // Accounts of clouds and clusters.
  /^(.+[-_.])?(service[-_]?account|client[-_]?secrets?).*\.json$/,
  /firebase-adminsdk.*\.json$/,
  /^(gcp|gcloud|google|gha)[-_].*(key|creds?).*\.json$/,
  /^(.+[-_.])?kubeconfig([-_][\w-]+)?(\.(ya?ml|json|conf|txt))?$/,
  /\.(tfvars|tfstate)(\.json|\.backup|\..+\.backup)?$/,
  // Keys of SSH, with any name that `ssh-keygen` is told, and of its server.
  /^id_(rsa|dsa|ecdsa|ed25519|xmss)([-_.].+)?$/,
  /^id_[\w-]+\.(old|bak|backup|orig|save)$/,
  /^.+[-_.](rsa|dsa|ecdsa|ed25519)$/,
  /^ssh_host_\w+_key$/,
  /^authorized_keys2?$/,
  // Stores of keys and passwords, and keys by their extension.
  /\.(pem|key|p8|p12|pfx|pkcs8|pkcs12|jks|jceks|bks|keystore|pvk|snk|ppk|keytab|keypair|agekey|asc|gpg|pgp|ovpn)$/,
  /\.(kdbx?|psafe3|1pif|agilekeychain|opvault|kwallet|keychain(-db)?)$/,
  /^(key[34]\.db|logins\.json|signons\.sqlite|login data|cookies\.(txt|json|sqlite))$/,
  // Wallets of chains.
  /^(wallet\.(dat|json)|utc--\d{4}-.+|keystore([-_].+)?\.json)$/,
  /^(.+[-_.])?keypair\.json$/,
  /^(.+[-_.])?(mnemonic|(seed|recovery)[-_]?(phrase|words|codes?|key)|backup[-_]?codes?)(\.(txt|json))?$/,
];

/** Places where everything, or the file named, is of keys and passwords. */
const secretPlaces = [
  /(^|\/)\.(ssh|gnupg|aws|password-store|secrets?)\/[^/]/,
  /(^|\/)\.(kube|docker|azure)\/[^/]+$/,
  /(^|\/)(\.config|appdata\/(roaming|local))\/(gcloud|op|sops|solana|github cli|gh)\/[^/]/,
  /(^|\/)(\.config\/hub|\.git\/config|\.m2\/settings\.xml|\.gradle\/gradle\.properties)$/,
  /(^|\/)(\.foundry\/keystores|\.local\/share\/keyrings|run\/secrets)\/[^/]/,
  /(^|\/)etc\/((g?shadow|master\.passwd|sudoers)-?|kubernetes\/[^/]+\.conf)$/,
];

const examples = "example|sample|template|tmpl|dist|defaults|schema";
/** Public halves, and what shows how a secret is to be written: `.env.example`, `secrets.sample.yaml`. */
const harmlessNames = [
  /\.pub$/,
  new RegExp(`[-_.](${examples})(\\.(${data}))?$`),
  /^(example|sample|template)\.env$/,
];
/** Workflows name secrets and hold none. */
const harmlessPlaces = /(^|\/)\.(github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$/;

/** No file system takes a longer name; what a model makes up may be. */
const longestName = 255;

/** Whether a path looks like a file of keys or passwords, by its name alone. `.env.example` and `id_rsa.pub` do not. */
export function looksSecret(path: string): boolean {
  // A dot of a pattern stands for no line break.
  const normal = path
    .replaceAll("\\", "/")
    .replace(/[\r\n\u2028\u2029]/g, "_")
    .toLowerCase();
  const name = normal.slice(normal.lastIndexOf("/") + 1).slice(-longestName);
  const names = [name, originalOf(name)];
  if (names.some((one) => harmlessNames.some((pattern) => pattern.test(one)))) return false;
  if (harmlessPlaces.test(normal)) return false;
  return (
    names.some((one) => secretNames.some((pattern) => pattern.test(one))) ||
    secretPlaces.some((pattern) => pattern.test(normal))
  );
}

/** The name that a copy was made of: of an editor's swap file, a backup, a duplicate. */
function originalOf(name: string): string {
  return (
    name
      // Windows opens the same file by these.
      .replace(/::\$data$/, "")
      .replace(/[. ]{1,8}$/, "")
      .replace(/^\.(.+)\.sw[a-p]$/, "$1")
      .replace(/^#(.+)#$/, "$1")
      .replace(/(~|\.(old|bak|backup|orig|save|saved|copy|tmp|\d{1,4})){1,4}$/, "")
      .replace(/ ?(\(\d{1,3}\)|(- )?copy( \d{1,3}| \(\d{1,3}\))?)(?=\.[^.]*$|$)/, "")
  );
}
