/** A value of unknown type if it is a string. */
export function stringIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A value of unknown type if it is a string; else no text. */
export function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The strings of a value of unknown type, if it is a list. */
export function stringsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
