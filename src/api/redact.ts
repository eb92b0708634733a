const bearer = /\bBearer\s+[^\s"',;]+/gi;
/** How much of a reply's text an error keeps, in characters. */
export const rawLimit = 65_536;

/** `text` without the given secrets and without anything that stands where a bearer credential does. */
export function redact(text: string, secrets: readonly string[]): string {
  const bounded = text.length > rawLimit ? text.slice(0, rawLimit) : text;
  const withoutSecrets = secrets
    .filter((secret) => secret.length > 0)
    .reduce((rest, secret) => rest.replaceAll(secret, "***"), bounded);
  return withoutSecrets.replace(bearer, "Bearer ***");
}
