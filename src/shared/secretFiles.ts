const secretNames = [
  /^\.env(rc|~|\..+)?$/,
  /.\.env$/,
  /^\.(npmrc|pypirc|netrc|pgpass|htpasswd|git-credentials|dockercfg|vault-token|my\.cnf|s3cfg|boto|terraformrc)$/,
  /^\.yarnrc\.ya?ml$/,
  /^_netrc$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_.+|-.+)?$/,
  /\.(pem|key|p12|pfx|pkcs12|jks|keystore|kdbx?|ppk|asc|gpg|ovpn|tfstate(\.backup)?|tfvars)$/,
  /^(credentials|secrets?)(\.(json|ya?ml|toml|ini|xml|properties|txt|env))?$/,
  /^(service-?account|client_secret).*\.json$/,
];
const harmless = /(\.|-|_)(example|sample|template|dist|defaults)$|^(example|sample|template)\.env$|\.pub$/;
const secretFolders =
  /(^|\/)(\.(ssh|gnupg|aws|azure|kube|docker)\/[^/]+|\.git\/config|\.config\/(gh\/hosts\.yml|gcloud\/.+))$/;

/** Whether a path looks like a file of keys or passwords, by its name alone. `.env.example` and `id_rsa.pub` do not. */
export function looksSecret(path: string): boolean {
  const normal = path.replaceAll("\\", "/").toLowerCase();
  const name = normal.slice(normal.lastIndexOf("/") + 1);
  if (harmless.test(name)) return false;
  return secretNames.some((pattern) => pattern.test(name)) || secretFolders.test(normal);
}
