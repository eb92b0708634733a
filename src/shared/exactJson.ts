/** JSON in which a whole number beyond 2^53 stands as a bigint, so that no digit is lost. Throws as JSON.parse does. */
export function parseExact(text: string): unknown {
  return mayRound.test(text) ? parseWithSource(text, exactNumber) : JSON.parse(text);
}

/** A value as JSON, a bigint as the number that it is. Throws as JSON.stringify does. */
export function exactJsonText(value: unknown, space?: number): string {
  try {
    return JSON.stringify(value, undefined, space);
  } catch {
    // Many times slower, and needed only where there is a bigint.
    return JSON.stringify(
      value,
      (_key, one: unknown) => (typeof one === "bigint" ? rawJson(one) : one),
      space,
    );
  }
}

/** So many digits may be too many for a float. Whether they stand inside a text is left to the parser. */
const mayRound = /(?:^|[\s:,[])-?\d{16}/;

function exactNumber(_key: string, value: unknown, { source = "" }: { readonly source?: string }): unknown {
  const isRounded = typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
  return isRounded ? BigInt(source) : value;
}

// Both are of the engine since V8 11.4 (VS Code 1.90), and not yet in TypeScript's library of ES2024.
const parseWithSource = JSON.parse as (text: string, reviver: typeof exactNumber) => unknown;
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

function rawJson(value: bigint): unknown {
  return rawJSON(String(value));
}
