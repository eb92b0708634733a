import { createHash } from "node:crypto";
import { join } from "node:path";
import { readTextIfThere, setAside, writeDurably } from "../../../platform/durableFile.ts";
import { exactJsonText, parseExact } from "../../../shared/exactJson.ts";
import type { RpcOutput } from "../../../shared/rpcOutput.ts";

/** The runs of a notebook's cells, newest last, by what a cell is called or asks. */
export type KeptRuns = Readonly<Record<string, readonly RpcOutput[]>>;

/** The runs of notebooks on this machine's disk, a file each, beside no notebook: git never sees them. */
export interface HistoryFiles {
  /** Empty where there is none; one that can't be read is set aside. */
  read(notebook: string): Promise<KeptRuns>;
  /** Replaces the file of a notebook; of several writes that wait, the last one is done. */
  write(notebook: string, runs: KeptRuns): void;
}

export function createHistoryFiles(folder: string, report: (error: unknown) => void): HistoryFiles {
  const writes = new Map<string, number>();
  let queue: Promise<unknown> = Promise.resolve();
  const pathOf = (notebook: string) =>
    join(folder, `${createHash("sha256").update(notebook).digest("hex").slice(0, 32)}.json`);
  return {
    async read(notebook) {
      await queue;
      return readRuns(pathOf(notebook)).catch((error: unknown) => {
        report(error);
        return {};
      });
    },
    write(notebook, runs) {
      const turn = (writes.get(notebook) ?? 0) + 1;
      writes.set(notebook, turn);
      const isNewest = () => writes.get(notebook) === turn;
      queue = queue
        .then(() => (isNewest() ? writeDurably(pathOf(notebook), toText(runs), isNewest) : undefined))
        .catch(report);
    },
  };
}

/** A file is written after each run: it may not grow without end. */
const mostCharacters = 8_000_000;

/** The newest runs, as many as fit. */
function toText(runs: KeptRuns): string {
  let left = mostCharacters;
  const all = Object.entries(runs).flatMap(([name, list]) =>
    list.toReversed().map((output) => ({ name, output })),
  );
  const kept = new Map<string, string[]>();
  for (const { name, output } of all.sort((a, b) => b.output.atMs - a.output.atMs)) {
    const text = exactJsonText(output);
    left -= text.length;
    if (left < 0) break;
    kept.set(name, [text, ...(kept.get(name) ?? [])]);
  }
  const members = [...kept].map(([name, texts]) => `${JSON.stringify(name)}:[${texts.join(",")}]`);
  return `{"version":1,"runs":{${members.join(",")}}}`;
}

async function readRuns(path: string): Promise<KeptRuns> {
  const text = await readTextIfThere(path);
  const runs = text === undefined ? {} : parse(text);
  if (runs) return runs;
  await setAside(path);
  return {};
}

function parse(text: string): KeptRuns | undefined {
  try {
    const { version, runs } = parseExact(text) as { version?: unknown; runs?: unknown };
    if (version !== 1 || typeof runs !== "object" || runs === null) return undefined;
    const sound = Object.entries(runs).map(([key, list]) => [
      key,
      Array.isArray(list) ? list.filter(isOutput) : [],
    ]);
    return Object.fromEntries(sound) as KeptRuns;
  } catch {
    return undefined;
  }
}

function isOutput(value: unknown): value is RpcOutput {
  if (typeof value !== "object" || value === null) return false;
  const { version, runId, lines, calls, networks, total } = value as Partial<RpcOutput>;
  const lists = [lines, calls, networks].every(Array.isArray);
  return version === 1 && typeof runId === "string" && lists && typeof total === "object";
}
