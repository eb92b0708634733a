import type { Selection } from "./mutant.ts";

/** The contract suites of rows whose names match, in both dialects. */
export function contractRows(only: string): Selection[] {
  return ["rowsStandard", "rowsVenice"].map((name) => contract(name, only));
}

export function contract(name: string, only?: string): Selection {
  const file = `test/contract/${name}.test.ts`;
  return only === undefined ? { file } : { file, only };
}

/** Unit tests by a pattern of their path, without its ending. */
export function unit(pattern: string): Selection {
  return { file: `test/unit/${pattern}.test.ts` };
}
