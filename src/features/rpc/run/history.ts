import { createHash } from "node:crypto";
import { join } from "node:path";
import type { NotebookCell, NotebookDocument } from "vscode";
import { readTextIfThere, setAside, writeDurably } from "../../../platform/durableFile.ts";
import { exactJsonText, parseExact } from "../../../shared/exactJson.ts";
import {
  type Json,
  mostChanged,
  type RpcChange,
  type RpcOutcome,
  type RpcOutput,
} from "../../../shared/rpcOutput.ts";
import type { CellFacts } from "../language/cellFacts.ts";
import { lineKey } from "./output.ts";
import type { LineOutcome } from "./round.ts";
import type { CellRun } from "./runCell.ts";

/** One run that is over. Its results are whole while the window is open, and as its output had them after that. */
export interface PastRun {
  readonly output: RpcOutput;
  /** By the key of the line. */
  readonly outcomes: ReadonlyMap<string, LineOutcome>;
}

/** A run with what stands around it. */
interface FoundRun {
  readonly run: PastRun;
  readonly previous: PastRun | undefined;
  /** Whether it is a run of this cell. */
  readonly isOf: (cell: NotebookCell) => boolean;
}

/** The last runs of each cell; never in the notebook's own file. */
export interface History {
  /** Brings back what was kept of a notebook; once for each, whoever asks. */
  load(notebook: NotebookDocument): Promise<void>;
  add(cell: NotebookCell, output: RpcOutput, run: CellRun): void;
  /** Newest last. */
  of(cell: NotebookCell): readonly PastRun[];
  /** A notebook that is no file is gone when it is closed, and another one may get its name. */
  forget(notebook: NotebookDocument): void;
  /** A run by the id in its output. */
  find(runId: string): FoundRun | undefined;
  /** How a line differs from an older run; undefined where one of them has no result, or no longer has it whole. */
  changes(before: PastRun, run: CellRun, key: string): readonly RpcChange[] | undefined;
}

const storedRuns = 20;
type Runs = Map<string, readonly PastRun[]>;

export function createHistory(files: HistoryFiles): History {
  const byNotebook = new Map<string, Runs>();
  const loading = new Map<string, Promise<void>>();
  const runsOf = (notebook: string) => {
    const runs: Runs = byNotebook.get(notebook) ?? new Map();
    byNotebook.set(notebook, runs);
    return runs;
  };
  const read = async (notebook: string) => {
    const stored = await files.read(notebook);
    const runs = runsOf(notebook);
    for (const [name, outputs] of Object.entries(stored)) {
      const old = outputs.map((output) => ({ output, outcomes: outcomesIn(output) }));
      runs.set(name, [...old, ...(runs.get(name) ?? [])].slice(-storedRuns));
    }
  };
  const load = ({ uri, isUntitled }: NotebookDocument) => {
    const name = uri.toString();
    const loaded = loading.get(name) ?? (isUntitled ? Promise.resolve() : read(name));
    loading.set(name, loaded);
    return loaded;
  };
  const of = (cell: NotebookCell) => byNotebook.get(cell.notebook.uri.toString())?.get(nameOf(cell)) ?? [];
  return {
    load,
    add(cell, output, run) {
      const notebook = cell.notebook.uri.toString();
      runsOf(notebook).set(
        nameOf(cell),
        [...of(cell), { output, outcomes: outcomesOf(run) }].slice(-storedRuns),
      );
      if (cell.notebook.isUntitled) return;
      // What was kept is not written over before it is read.
      void load(cell.notebook).then(() => {
        const stored = [...runsOf(notebook)].map(([name, list]) => [name, list.map((past) => past.output)]);
        files.write(notebook, Object.fromEntries(stored));
      });
    },
    of,
    forget({ uri }) {
      byNotebook.delete(uri.toString());
      loading.delete(uri.toString());
    },
    find(runId) {
      for (const [notebook, runs] of byNotebook) {
        for (const [name, list] of runs) {
          const at = list.findIndex(({ output }) => output.runId === runId);
          const run = list[at];
          const isOf = (cell: NotebookCell) =>
            cell.notebook.uri.toString() === notebook && nameOf(cell) === name;
          if (run) return { run, previous: list[at - 1], isOf };
        }
      }
      return undefined;
    },
    changes(before, run, key) {
      const old = before.outcomes.get(key);
      const now = outcomesOf(run).get(key);
      if (old?.kind !== "result" || now?.kind !== "result") return undefined;
      if (old.cut) return undefined;
      return changesBetween(old.value as Json, now.value as Json);
    },
  };
}

/** The editor makes new cells of a file that was changed elsewhere: what a cell is called, or asks, outlives them. */
function nameOf({ document, metadata }: NotebookCell): string {
  const { name, networks = [] } = readFacts(metadata);
  return name ? `name ${name}` : `text ${networks.join(",")} ${document.getText()}`;
}

function readFacts({ facts }: { readonly [key: string]: unknown }): CellFacts {
  return typeof facts === "object" && facts !== null ? (facts as CellFacts) : {};
}

function outcomesOf({ rounds }: CellRun): Map<string, LineOutcome> {
  return new Map(
    rounds.flatMap(({ network, lines }) =>
      lines.map(({ outcome }, at) => [lineKey(network, at), outcome] as const),
    ),
  );
}

function outcomesIn({ lines }: RpcOutput): Map<string, LineOutcome> {
  return new Map(lines.map(({ key, outcome }) => [key, asAnswered(outcome)]));
}

/** Without what was added for its view. */
function asAnswered(outcome: RpcOutcome): LineOutcome {
  if (outcome.kind === "result") {
    const { kind, value, cut } = outcome;
    return { kind, value, ...(cut ? { cut } : {}) };
  }
  if (outcome.kind !== "error") return outcome;
  const { revert: _, ...failure } = outcome;
  return failure;
}

/** The runs of a notebook's cells, newest last, by what a cell is called or asks. */
type StoredRuns = Readonly<Record<string, readonly RpcOutput[]>>;

/** The runs of notebooks on this machine's disk, a file each, beside no notebook: git never sees them. */
interface HistoryFiles {
  /** Empty where there is none; one that can't be read is set aside. */
  read(notebook: string): Promise<StoredRuns>;
  /** Replaces the file of a notebook; of several writes that wait, the last one is done. */
  write(notebook: string, runs: StoredRuns): void;
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
function toText(runs: StoredRuns): string {
  let left = mostCharacters;
  const all = Object.entries(runs).flatMap(([name, list]) =>
    list.toReversed().map((output) => ({ name, output })),
  );
  const stored = new Map<string, string[]>();
  for (const { name, output } of all.sort((a, b) => b.output.atMs - a.output.atMs)) {
    const text = exactJsonText(output);
    left -= text.length;
    if (left < 0) break;
    stored.set(name, [text, ...(stored.get(name) ?? [])]);
  }
  const members = [...stored].map(([name, texts]) => `${JSON.stringify(name)}:[${texts.join(",")}]`);
  return `{"version":1,"runs":{${members.join(",")}}}`;
}

async function readRuns(path: string): Promise<StoredRuns> {
  const text = await readTextIfThere(path);
  const runs = text === undefined ? {} : parse(text);
  if (runs) return runs;
  await setAside(path);
  return {};
}

function parse(text: string): StoredRuns | undefined {
  try {
    const { version, runs } = parseExact(text) as { version?: unknown; runs?: unknown };
    if (version !== 1 || typeof runs !== "object" || runs === null) return undefined;
    const sound = Object.entries(runs).map(([key, list]) => [
      key,
      Array.isArray(list) ? list.filter(isOutput) : [],
    ]);
    return Object.fromEntries(sound) as StoredRuns;
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

/** Where two values differ, `number`, `logs[0].data`, and what stands there; an empty path is the value itself. */
export function changesBetween(before: Json, now: Json): RpcChange[] {
  const found: RpcChange[] = [];
  compare(before, now, "", found);
  return found.slice(0, mostChanged);
}

function compare(before: Json, now: Json, path: string, found: RpcChange[]): void {
  if (found.length >= mostChanged || before === now) return;
  const isParts = typeof before === "object" && typeof now === "object" && before !== null && now !== null;
  if (!isParts || Array.isArray(before) !== Array.isArray(now)) {
    found.push({ path, before, now });
    return;
  }
  const [a, b] = [before as Parts, now as Parts];
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const step = Array.isArray(now) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    const [was, is] = [own(a, key), own(b, key)];
    if (was !== undefined && is !== undefined) compare(was, is, step, found);
    else
      found.push({
        path: step,
        ...(was === undefined ? {} : { before: was }),
        ...(is === undefined ? {} : { now: is }),
      });
  }
}

type Parts = Readonly<Record<string, Json>>;

function own(parts: Parts, key: string): Json | undefined {
  return Object.hasOwn(parts, key) ? parts[key] : undefined;
}
