/** The value of a JSON text; undefined if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True if a text is one complete JSON value. */
export function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}

/** True if a text is the beginning of a JSON object or array, and no more. */
export function isCutJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const { message } = error as SyntaxError;
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    return position === undefined
      ? /unexpected end/i.test(message)
      : Number(position) >= text.trimEnd().length;
  }
}
