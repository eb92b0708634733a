const bearer = /\bBearer\s+[^\s"',;]+/gi;
/** Characters of a reply that an error stores. */
export const rawLimit = 65_536;

/** `text` without the given secrets and bearer credentials, cut to `rawLimit`. */
export function redact(text: string, secrets: readonly string[]): string {
  const present = secrets.filter((secret) => secret.length > 0);
  const whole = present.reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
  const bounded = whole.replace(bearer, "Bearer ***").slice(0, rawLimit);
  return present.reduce(withoutItsStart, bounded);
}

/** A truncated text may end inside a secret. */
function withoutItsStart(text: string, secret: string): string {
  for (let length = Math.min(secret.length - 1, text.length); length >= 6; length--) {
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}***`;
  }
  return text;
}
