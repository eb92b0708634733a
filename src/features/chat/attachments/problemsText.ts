export interface FileProblems {
  readonly path: string;
  readonly problems: readonly {
    /** Counted from 1. */
    readonly line: number;
    readonly column: number;
    readonly severity: "error" | "warning" | "info" | "hint";
    readonly message: string;
    /** Who found it, and its number there. */
    readonly source: string;
  }[];
}

const maxProblems = 200;
const maxMessage = 1000;
const order = ["error", "warning", "info", "hint"];

/** Problems as lines, errors first; undefined where there are none. */
export function problemsText(
  files: readonly FileProblems[],
): { readonly text: string; readonly detail: string } | undefined {
  const all = files.flatMap(({ path, problems }) => problems.map((problem) => ({ path, ...problem })));
  if (all.length === 0) return undefined;
  const sorted = all.toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
  const lines = sorted.slice(0, maxProblems).map(({ path, line, column, severity, message, source }) => {
    const words = message.replace(/\s*\n\s*/g, " ").slice(0, maxMessage);
    return `${path}:${line}:${column} ${severity}: ${words}${source === "" ? "" : ` [${source}]`}`;
  });
  const words = all.length === 1 ? "1 problem" : `${all.length} problems`;
  return {
    text: lines.join("\n"),
    detail: all.length > maxProblems ? `the first ${maxProblems} of ${words}` : words,
  };
}
