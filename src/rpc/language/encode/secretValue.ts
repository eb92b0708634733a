/** Words in the names of secrets. `TOKEN` alone is usually a contract. */
const secretWords =
  /(^|_)(KEY|APIKEY|PRIVATEKEY|PRIVATE|SECRET|SECRETS|MNEMONIC|SEED|PHRASE|PASSPHRASE|PASSWORD|PASSWD|PWD|CREDENTIALS?|BEARER|JWT|AUTH|(ACCESS|API|AUTH|REFRESH|SESSION|SECRET)_?TOKEN)(_|$|\d)/;
const publicWords = /(^|_)(PUBLIC|PUB)(_|$)/;

/** True for names such as `DEPLOYER_PRIVATE_KEY` and `apiSecret`. */
export function isSecretName(name: string): boolean {
  const words = name
    .slice(0, 200)
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/[.-]/g, "_")
    .toUpperCase();
  return secretWords.test(words) && !publicWords.test(words);
}

/** An address is public, whatever its name. */
const address = /^0[xX][0-9a-fA-F]{40}$/;
/** A phrase of BIP-39: 12 to 24 words of 3 to 8 letters. */
const phrase = /^[a-z]{3,8}( [a-z]{3,8}){11,23}$/;
/** Keys of services, by the beginnings that they have so that scanners find them. */
const serviceKey =
  /^(sk|rk|pk_live|sk_live|sk-proj)[-_][\w-]{16,}$|^(ghp|gho|ghs|github_pat|glpat|xox[abps])[-_][\w-]{16,}$|^AKIA[0-9A-Z]{16}$|^AIza[\w-]{30,}$|^eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*$/;

/** True if a value must not be shown or stored: by its name, or by its form. */
export function isSecretValue(name: string, value: string): boolean {
  if (value.trim() === "" || address.test(value)) return false;
  return isSecretName(name) || phrase.test(value.trim()) || serviceKey.test(value);
}

const hexPrivateKey = /^(0[xX])?[0-9a-fA-F]{64}$/;
/** A credential without spaces that is long and mixed. */
const longCredential = /^(?=.*\d)(?=.*[A-Za-z])\S{16,}$/;

/** Names the kind of a secret, such as `a seed phrase`. Undefined if git may store the value. */
export function secretKind(name: string, value: string): string | undefined {
  if (address.test(value)) return undefined;
  if (phrase.test(value.trim())) return "a seed phrase";
  if (serviceKey.test(value)) return "a key of a service";
  if (!isSecretName(name)) return undefined;
  if (hexPrivateKey.test(value)) return "a private key";
  return longCredential.test(value) ? "a key or password" : undefined;
}
