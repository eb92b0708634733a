/** Parses JSON with integers beyond 2^53 as bigint, so that no digit is lost. Throws as JSON.parse does. */
export function parseExact(text: string): unknown {
  return mayRound.test(text) ? parseWithSource(text, exactNumber) : JSON.parse(text);
}

/** Writes a value as JSON, with a bigint as a number. Throws as JSON.stringify does. */
export function exactJsonText(value: unknown, space?: number): string {
  try {
    return JSON.stringify(value, undefined, space);
  } catch {
    // Many times slower, so it is used only if there is a bigint.
    return JSON.stringify(
      value,
      (_key, one: unknown) => (typeof one === "bigint" ? rawJson(one) : one),
      space,
    );
  }
}

/**
 * A number of this many digits may lose precision as a float. A match inside a string is harmless: the parser decides.
 */
const mayRound = /(?:^|[\s:,[])-?\d{16}/;

function exactNumber(_key: string, value: unknown, { source = "" }: { readonly source?: string }): unknown {
  const isRounded = typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
  return isRounded ? BigInt(source) : value;
}

// V8 supports both since 11.4 (VS Code 1.90); TypeScript's ES2024 library does not declare them.
/** JSON.parse with the text of each number. */
export const parseWithSource = JSON.parse as (text: string, reviver: typeof exactNumber) => unknown;
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

function rawJson(value: bigint): unknown {
  return rawJSON(String(value));
}
