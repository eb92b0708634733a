import { Worker } from "node:worker_threads";
import { type FoundLine, keptLine, searchLimits } from "./searchEngine.ts";

/** A regular expression, and whether a match may have several lines. */
export interface WorkerPattern {
  readonly source: string;
  readonly flags: string;
  readonly spansLines: boolean;
}

/** A line with a match: its number from 1, its text, and the index of the match in it. */
type Match = readonly [line: number, text: string, index: number];

/** Searches texts in a thread, because a regular expression can take forever, and nothing else can end it. */
export interface LineWorker {
  /** Rejects if the thread ends before. */
  search(text: string): Promise<readonly FoundLine[]>;
  end(): void;
}

export function startLineWorker(pattern: WorkerPattern): LineWorker {
  const source = `(${matchInThread})(require("node:worker_threads"), ${matchesInLines}, ${matchesAcrossLines})`;
  const workerData = { pattern, maxLines: searchLimits.linesOfFile };
  const worker = new Worker(source, { eval: true, workerData, execArgv: [] });
  const waiting: { resolve(matches: readonly Match[]): void; reject(error: Error): void }[] = [];
  const fail = (error: Error) => {
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  // Texts are answered in their order.
  worker.on("message", (matches: readonly Match[]) => waiting.shift()?.resolve(matches));
  worker.on("error", fail);
  worker.on("exit", () => fail(new Error("The search has ended.")));
  return {
    async search(text) {
      const { promise, resolve, reject } = Promise.withResolvers<readonly Match[]>();
      waiting.push({ resolve, reject });
      worker.postMessage(text);
      return (await promise).map(([line, found, index]) => ({ line, text: keptLine(found, index) }));
    },
    end: () => void worker.terminate(),
  };
}

/** The text of these functions is the program of the thread: they must use nothing that is outside of them. */
function matchInThread(
  { parentPort, workerData }: typeof import("node:worker_threads"),
  inLines: typeof matchesInLines,
  acrossLines: typeof matchesAcrossLines,
): void {
  const { pattern, maxLines }: { pattern: WorkerPattern; maxLines: number } = workerData;
  parentPort?.on("message", (text: string) => {
    const lines = text.split("\n");
    // What follows the last line break is no line if it is empty.
    if (lines.at(-1) === "") lines.pop();
    const found = pattern.spansLines
      ? acrossLines(text, lines, pattern, maxLines)
      : inLines(lines, pattern, maxLines);
    parentPort.postMessage(found);
  });
}

function matchesInLines(
  lines: readonly string[],
  { source, flags }: WorkerPattern,
  maxLines: number,
): readonly Match[] {
  const found: Match[] = [];
  const pattern = new RegExp(source, flags);
  for (const [index, line] of lines.entries()) {
    const match = pattern.exec(line.endsWith("\r") ? line.slice(0, -1) : line);
    if (match) found.push([index + 1, line, match.index]);
    if (found.length === maxLines) break;
  }
  return found;
}

function matchesAcrossLines(
  text: string,
  lines: readonly string[],
  { source, flags }: WorkerPattern,
  maxLines: number,
): readonly Match[] {
  const found: Match[] = [];
  let [line, lineStart, done] = [0, 0, 0];
  for (const match of text.matchAll(new RegExp(source, `${flags}gm`))) {
    const end = Math.max(match.index, match.index + match[0].length - 1);
    while (line < lines.length && lineStart <= end) {
      const shown = lines[line] ?? "";
      const next = lineStart + shown.length + 1;
      if (next > match.index && line >= done) {
        found.push([line + 1, shown, Math.max(0, match.index - lineStart)]);
        done = line + 1;
      }
      if (found.length === maxLines) return found;
      if (next > end) break;
      [line, lineStart] = [line + 1, next];
    }
  }
  return found;
}
