import { join } from "node:path";
import type { NotebookCell, NotebookDocument } from "vscode";
import { readTextIfThere, setAside, writeDurably } from "../../../platform/files/durable/durableFile.ts";
import { sha256 } from "../../../platform/sha256.ts";
import { ownMember } from "../../../shared/members.ts";
import { SerialQueue } from "../../../shared/serialQueue.ts";
import { exactJsonText, parseExact } from "../../../shared/text/json/exactJson.ts";
import type { CellFacts } from "../../language/check/cellFacts.ts";
import { memo } from "../../language/memo.ts";
import {
  type Json,
  mostChanged,
  type RpcChange,
  type RpcOutcome,
  type RpcOutput,
} from "../../output/rpcOutput.ts";
import type { CellRun } from "../../run/cellRun.ts";
import { lineKey } from "../../run/output.ts";
import type { LineOutcome } from "../../run/round.ts";

/** A run that has ended. Its results are complete until the window closes, later as in its output. */
export interface PastRun {
  readonly output: RpcOutput;
  /** Outcomes by the key of the line. */
  readonly outcomes: ReadonlyMap<string, LineOutcome>;
  /** The output with its whole results, decoded; undefined for runs of earlier windows. */
  readonly whole?: () => RpcOutput;
}

/** A run, the run before it, and its cell. */
interface FoundRun {
  readonly run: PastRun;
  readonly previous: PastRun | undefined;
  /** True if it is a run of this cell. */
  readonly isOf: (cell: NotebookCell) => boolean;
}

const storedRuns = 20;
/** The whole file is written each time, so the cells of a run are stored together. A long run stores what it has so far. */
const mostUnsavedMs = 2_000;
type Runs = Map<string, readonly PastRun[]>;

/** A notebook that has no file. */
interface Untitled {
  /** Of all its cells. */
  readonly texts: () => readonly string[];
  readonly runs: Runs;
}

/** The last runs of each cell. They are not stored in the file of the notebook. */
export class History {
  readonly #files: Pick<HistoryFiles, "read" | "write">;
  readonly #byNotebook = new Map<string, Runs>();
  readonly #loading = new Map<string, Promise<void>>();
  /** When the oldest run of a notebook was added that is not stored. */
  readonly #unsaved = new Map<string, number>();
  readonly #untitled = new Map<string, NotebookDocument>();
  #lastClosed: Untitled | undefined;

  constructor(files: Pick<HistoryFiles, "read" | "write">) {
    this.#files = files;
  }

  /** Loads the stored runs of a notebook, once. */
  load(notebook: NotebookDocument): Promise<void> {
    const { uri, isUntitled } = notebook;
    const name = uri.toString();
    const loaded = this.#loading.get(name) ?? (isUntitled ? Promise.resolve() : this.#read(notebook));
    this.#loading.set(name, loaded);
    return loaded;
  }

  /** Adds a run. It is stored with `save`, or with one that follows after some time. */
  add(cell: NotebookCell, output: RpcOutput, run: CellRun, whole: () => RpcOutput): void {
    const { notebook } = cell;
    const name = notebook.uri.toString();
    if (notebook.isUntitled) this.#untitled.set(name, notebook);
    this.#runsOf(name).set(
      nameOf(cell),
      [...this.of(cell), { output, outcomes: outcomesOf(run), whole }].slice(-storedRuns),
    );
    const since = this.#unsaved.get(name) ?? performance.now();
    this.#unsaved.set(name, since);
    if (performance.now() - since > mostUnsavedMs) this.save(notebook);
  }

  /** Stores the runs that were added, unless the notebook has no file. */
  save(notebook: NotebookDocument): void {
    const name = notebook.uri.toString();
    if (!this.#unsaved.delete(name) || notebook.isUntitled) return;
    // Load first, so that stored runs are not overwritten.
    void this.load(notebook).then(() => {
      const stored = [...this.#runsOf(name)].map(([cell, list]) => [cell, list.map(({ output }) => output)]);
      this.#files.write(name, Object.fromEntries(stored));
    });
  }

  /** Newest last. */
  of(cell: NotebookCell): readonly PastRun[] {
    return this.#byNotebook.get(cell.notebook.uri.toString())?.get(nameOf(cell)) ?? [];
  }

  /** Drops the runs of an untitled notebook when it closes, because its URI can be reused. */
  forget(notebook: NotebookDocument): void {
    const name = notebook.uri.toString();
    const [texts, runs] = [textsOf(notebook), this.#runsOf(name)];
    this.#lastClosed = { texts: () => texts, runs };
    this.#untitled.delete(name);
    this.#byNotebook.delete(name);
    this.#loading.delete(name);
  }

  /** Finds a run by the id in its output. */
  find(runId: string): FoundRun | undefined {
    for (const [notebook, runs] of this.#byNotebook) {
      for (const [name, list] of runs) {
        const at = list.findIndex(({ output }) => output.runId === runId);
        const run = list[at];
        const isOf = (cell: NotebookCell) =>
          cell.notebook.uri.toString() === notebook && nameOf(cell) === name;
        if (run) return { run, previous: list[at - 1], isOf };
      }
    }
    return undefined;
  }

  /** The changes of a line since an older run; undefined if one of them has no complete result. */
  changes(before: PastRun, run: CellRun, key: string): readonly RpcChange[] | undefined {
    const old = before.outcomes.get(key);
    const now = outcomesOf(run).get(key);
    if (old?.kind !== "result" || now?.kind !== "result") return undefined;
    if (old.cut) return undefined;
    return changesBetween(old.value as Json, now.value as Json);
  }

  #runsOf(notebook: string): Runs {
    const runs: Runs = this.#byNotebook.get(notebook) ?? new Map();
    this.#byNotebook.set(notebook, runs);
    return runs;
  }

  async #read(notebook: NotebookDocument): Promise<void> {
    const file = notebook.uri.toString();
    const stored = await this.#files.read(file);
    const runs = this.#runsOf(file);
    const addOld = (name: string, old: readonly PastRun[]) =>
      runs.set(name, [...old, ...(runs.get(name) ?? [])].slice(-storedRuns));
    for (const [name, outputs] of Object.entries(stored))
      addOld(
        name,
        outputs.map((output) => ({ output, outcomes: outcomesIn(output) })),
      );
    const origin = this.#savedAs(notebook);
    for (const [name, old] of origin?.runs ?? []) addOld(name, old);
    if (!origin) return;
    this.#unsaved.set(file, performance.now());
    this.save(notebook);
  }

  /** The untitled notebook with runs that was saved as this file: the editor opens the file as another notebook. */
  #savedAs(notebook: NotebookDocument): Untitled | undefined {
    const open = [...this.#untitled.values()].map(
      (one): Untitled => ({ texts: () => textsOf(one), runs: this.#runsOf(one.uri.toString()) }),
    );
    return [...open, ...(this.#lastClosed ? [this.#lastClosed] : [])].find(
      ({ runs, texts }) => runs.size > 0 && texts().join("\0") === textsOf(notebook).join("\0"),
    );
  }
}

function textsOf(notebook: NotebookDocument): readonly string[] {
  return notebook.getCells().map(({ document }) => document.getText());
}

/** Identifies a cell by its name or text, because the editor recreates cells when the file changes on disk. */
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

/** The outcome without the parts for its view. */
function asAnswered(outcome: RpcOutcome): LineOutcome {
  if (outcome.kind === "result") {
    const { kind, value, cut } = outcome;
    return { kind, value, ...(cut ? { cut } : {}) };
  }
  if (outcome.kind !== "error") return outcome;
  const { revert: _, ...failure } = outcome;
  return failure;
}

/** The runs of a notebook's cells, newest last, by `nameOf` the cell. */
type StoredRuns = Readonly<Record<string, readonly RpcOutput[]>>;

/** Stores the runs of each notebook in a file in the global storage, outside of the workspace and git. */
export class HistoryFiles {
  readonly #folder: string;
  readonly #report: (error: unknown) => void;
  /** The number of the last write of each notebook. */
  readonly #writes = new Map<string, number>();
  readonly #queue = new SerialQueue();

  constructor(folder: string, report: (error: unknown) => void) {
    this.#folder = folder;
    this.#report = report;
  }

  /** Empty without a file. A file that can't be read is set aside. */
  read(notebook: string): Promise<StoredRuns> {
    const reading = this.#queue.run(() => readRuns(this.#pathOf(notebook)));
    return reading.catch((error: unknown) => {
      this.#report(error);
      return {};
    });
  }

  /** Replaces the file of a notebook. Only the last of several queued writes is done. */
  write(notebook: string, runs: StoredRuns): void {
    const turn = (this.#writes.get(notebook) ?? 0) + 1;
    this.#writes.set(notebook, turn);
    const isNewest = () => this.#writes.get(notebook) === turn;
    this.#queue
      .run(() => (isNewest() ? writeDurably(this.#pathOf(notebook), toText(runs), isNewest) : undefined))
      .catch(this.#report);
  }

  #pathOf(notebook: string): string {
    return join(this.#folder, `${sha256(notebook).slice(0, 32)}.json`);
  }
}

/** Size limit of a file, because it is rewritten after each run. */
const mostCharacters = 8_000_000;

const textOf = memo((output: RpcOutput) => exactJsonText(output));

/** The newest runs up to the size limit. */
function toText(runs: StoredRuns): string {
  let left = mostCharacters;
  const all = Object.entries(runs).flatMap(([name, list]) =>
    list.toReversed().map((output) => ({ name, output })),
  );
  const stored = new Map<string, string[]>();
  for (const { name, output } of all.sort((a, b) => b.output.atMs - a.output.atMs)) {
    const text = textOf(output);
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
    const valid = Object.entries(runs).map(([key, list]) => [
      key,
      Array.isArray(list) ? list.filter(isOutput) : [],
    ]);
    return Object.fromEntries(valid) as StoredRuns;
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

/** The differences of two values with their paths: `number`, `logs[0].data`. An empty path is the value itself. */
export function changesBetween(before: Json, now: Json): RpcChange[] {
  const found: RpcChange[] = [];
  compare(before, now, "", found);
  return found.slice(0, mostChanged);
}

function compare(before: Json, now: Json, path: string, found: RpcChange[]): void {
  if (found.length >= mostChanged || before === now) return;
  if (!hasParts(before) || !hasParts(now) || Array.isArray(before) !== Array.isArray(now)) {
    found.push({ path, before, now });
    return;
  }
  const [isList, base] = [Array.isArray(now), path === "" ? "" : `${path}.`];
  for (const key of new Set([...Object.keys(before), ...Object.keys(now)]))
    compareParts(ownMember(before, key), ownMember(now, key), isList ? `${path}[${key}]` : base + key, found);
}

function compareParts(was: Json | undefined, is: Json | undefined, path: string, found: RpcChange[]): void {
  if (was !== undefined && is !== undefined) compare(was, is, path, found);
  else if (was !== undefined) found.push({ path, before: was });
  else if (is !== undefined) found.push({ path, now: is });
}

type Parts = Readonly<Record<string, Json>>;

function hasParts(value: Json): value is Parts {
  return typeof value === "object" && value !== null;
}
