import { lineHunks } from "../../../../shared/text/lineHunks.ts";

/** A problem of a file, as far as it can be compared. */
export interface ComparedProblem {
  readonly severity: number;
  readonly message: string;
  readonly range: { readonly start: { readonly line: number } };
}

/**
 * The problems of a text that were not there before it was changed. A problem is the same if it has the same message in
 * the same line, wherever that line has moved; else, as many as had the message before are taken for those: an edit may
 * have changed or moved their line.
 */
export function newProblems<Problem extends ComparedProblem>(
  problems: readonly Problem[],
  former: readonly ComparedProblem[],
  before: string,
  after: string,
): readonly Problem[] {
  if (former.length === 0) return problems;
  const moved = lineMap(before, after);
  /** Of each message: the lines where it was, as they are counted now; undefined for those that have changed. */
  const places = new Map<string, (number | undefined)[]>();
  for (const problem of former) {
    const key = keyOf(problem);
    const known = places.get(key) ?? [];
    known.push(moved(problem.range.start.line));
    places.set(key, known);
  }
  const taken = (problem: Problem, indexIn: (known: readonly (number | undefined)[]) => number) => {
    const known = places.get(keyOf(problem)) ?? [];
    const index = indexIn(known);
    if (index >= 0) known.splice(index, 1);
    return index >= 0;
  };
  return problems
    .filter((problem) => !taken(problem, (known) => known.indexOf(problem.range.start.line)))
    .filter((problem) => !taken(problem, (known) => known.length - 1));
}

function keyOf({ severity, message }: ComparedProblem): string {
  return `${severity} ${message}`;
}

/** Where each line is after a change; undefined if it is not there any more. */
function lineMap(before: string, after: string): (line: number) => number | undefined {
  const hunks = lineHunks(before, after);
  return (line) => {
    let shift = 0;
    for (const { beforeStart, beforeEnd, afterEnd } of hunks) {
      if (line < beforeStart) break;
      if (line < beforeEnd) return undefined;
      shift = afterEnd - beforeEnd;
    }
    return line + shift;
  };
}
