const bearer = /\bBearer\s+[^\s"',;]+/gi;
/** How much of a reply's text an error keeps, in characters. */
export const rawLimit = 65_536;

/** `text`, at most `rawLimit` of it, without the given secrets and whatever stands where a bearer credential does. */
export function redact(text: string, secrets: readonly string[]): string {
  const present = secrets.filter((secret) => secret.length > 0);
  const whole = present.reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
  const bounded = whole.replace(bearer, "Bearer ***").slice(0, rawLimit);
  return present.reduce(withoutItsStart, bounded);
}

/** A text that was cut off, by us or on its way, may end inside a secret. */
function withoutItsStart(text: string, secret: string): string {
  for (let length = Math.min(secret.length - 1, text.length); length >= 6; length--) {
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}***`;
  }
  return text;
}
