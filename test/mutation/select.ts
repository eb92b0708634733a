import type { Selection } from "./mutant.ts";

/** The contract suites of rows whose names match, in both dialects. */
export function contractRows(only: string): Selection {
  return contract("rows{Standard,Venice}", only);
}

export function contract(name: string, only?: string): Selection {
  const files = `test/contract/${name}.test.ts`;
  return only === undefined ? { files } : { files, only };
}

/** Unit tests by glob patterns of their paths, without the file ending. */
export function unit(...patterns: string[]): Selection {
  return { files: `test/unit/${patterns.length > 1 ? `{${patterns}}` : patterns}.test.ts` };
}
