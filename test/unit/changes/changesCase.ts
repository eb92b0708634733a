// One random case of changes by an agent and a user.
import assert from "node:assert/strict";
import { chmodSync, existsSync, linkSync, lstatSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type {
  AskAboutOthers,
  FileChange,
  PendingChanges,
  Rewound,
} from "../../../src/changes/engine/pendingChanges.ts";
import { temporaryFolder } from "../temporaryFolder.ts";
import { allTexts, type Call, callTools } from "./callTools.ts";
import { names, originalLinks, originalModes, originals, originalTwins, type Step } from "./changesSteps.ts";
import { type Document, isFileAt, moments } from "./editorDocument.ts";
import { editor } from "./editorModel.ts";
import { mergeStep, type Texts, textsNow } from "./mergeSteps.ts";
import { disk } from "./modelDisk.ts";
import { openKillableChanges } from "./openChanges.ts";
import { act, RunningPrograms, saveFirst } from "./programSteps.ts";
import { checkRewind, type Made, type Undo } from "./rewindCheck.ts";
import {
  type All,
  asShown,
  assertNothingWritten,
  find,
  findCells,
  hasPlace,
  isLinkSeen,
  isPlain,
  isSame,
  keepAll,
  nameOf,
  nameOfUri,
  namesIn,
  opened,
  plain,
  put,
  type Seen,
  see,
  seeAll,
  seenIn,
  tokensIn,
  unsavedElsewhere,
  uriOf,
} from "./seenFiles.ts";

const never = new AbortController().signal;

const folder = temporaryFolder();
let count = 0;

/** Runs the steps in a new folder. */
export async function runCase(steps: readonly Step[]): Promise<void> {
  const root = join(folder, String(count++));
  mkdirSync(root);
  editor.start(root);
  disk.start(crc32(JSON.stringify(steps)));
  for (const [name, content] of Object.entries(originals)) {
    const other = originalTwins[name];
    if (other !== undefined) linkSync(uriOf(other).path, uriOf(name).path);
    if (other !== undefined || content === undefined) continue;
    put(name, content);
    chmodSync(uriOf(name).path, originalModes[name] as number);
  }
  for (const [name, target] of Object.entries(originalLinks))
    if (target !== undefined) symlinkSync(Buffer.from(target, "latin1"), uriOf(name).path);
  const run = new Case();
  // A wait for the system does not hold the process.
  const hold = setInterval(() => {}, 1_000);
  try {
    for (const step of steps) await run.step(step);
    editor.settle();
    await run.finish();
  } finally {
    clearInterval(hold);
    run.dispose();
    rmSync(root, { recursive: true });
  }
}

/** The names of notebooks with unsaved cells. */
const dirtyCells = () => new Set(names.filter((name) => findCells(name)?.isDirty));

const isFree = (name: string) => !existsSync(uriOf(name).path) && !find(name) && hasPlace(name);

/** A program of the user writes a file anew, and nothing through a link. */
function replace(name: string, text: string): void {
  if (!isPlain(name)) return;
  if (isLinkSeen(see(name))) rmSync(uriOf(name).path);
  put(name, text);
}

class Case {
  #window: ReturnType<typeof openKillableChanges>;
  #made: Made[] = [];
  #undo: Undo | undefined;
  /** The user has changed something since the first step. */
  #isTouched = false;
  #typed = 0;
  #isRestorable = true;
  /** In the background. */
  #delegated: Texts | undefined;
  readonly #programs = new RunningPrograms((made) => this.#made.push(made));

  constructor() {
    this.#window = this.#open();
  }

  get #changes(): PendingChanges {
    return this.#window.changes;
  }

  #open(): ReturnType<typeof openKillableChanges> {
    const storage = `${editor.root}.state`;
    return openKillableChanges(join(storage, "blobs"), join(storage, "changes.jsonl"));
  }

  /** The process is killed, and the next one as well after so many accesses to the disk. */
  async #restart(again?: number): Promise<void> {
    this.#programs.forget();
    this.#window.kill();
    editor.restart();
    this.#window = this.#open();
    const killed = again === undefined ? undefined : this.#window.killAfter(again);
    const read = this.#changes.accept(uriOf("none")); // waits until the records are read
    await Promise.race([read, killed ?? read]);
    if (again !== undefined) await this.#restart();
  }

  dispose(): void {
    this.#changes.dispose();
    rmSync(`${editor.root}.state`, { recursive: true, force: true });
  }

  async step(step: Step): Promise<void> {
    await this.#programs.collect();
    await this.#step(step);
    // What nobody has done in the editor counts as the program's.
    if (step.do !== "program" && step.do !== "replace") this.#programs.follow();
  }

  /** Programs that were begun before may go on beside it. */
  async #runProgram(step: Extract<Step, { do: "program" }>): Promise<void> {
    const { programs } = this.#changes;
    if (step.isLater) disk.age(folder);
    if (step.isWarm) programs.warm();
    if (step.savesFirst) await saveFirst();
    const run = await this.#programs.begin((onChanged) => programs.begin(never, onChanged));
    // A save is the user's.
    if (step.savesFirst) this.#programs.follow();
    if (!(await act(step))) this.#isRestorable = false;
    if (step.ends === "window is killed") {
      const [first, second] = step.kills;
      if (first !== undefined) await Promise.race([this.#window.killAfter(first), run.collect()]);
      return this.#killInWork(second);
    }
    if (step.ends === "ends") await this.#programs.end(run);
  }

  async #killedCalls({ changes, at }: Extract<Step, { do: "killedCalls" }>): Promise<void> {
    const killed = this.#window.killAfter(at);
    await Promise.race([killed, callTools(this.#changes.writer, changes, seeAll())]);
    return this.#killInWork();
  }

  /** The next window has all that was changed among the pending changes. The conversation does not know it. */
  async #killInWork(again?: number): Promise<void> {
    await this.#restart(again);
    // The process of the test has made them, and is there.
    for (const name of Object.keys(seeAll())) if (name.endsWith(".tmp")) rmSync(uriOf(name).path);
    if (!this.#isTouched && this.#isRestorable) await this.#rejectAll();
    this.#made = [];
    this.#undo = undefined;
    this.#isRestorable = false;
  }

  async #step(step: Step): Promise<void> {
    switch (step.do) {
      case "program":
        return this.#runProgram(step);
      case "edit":
      case "write":
      case "cells":
      case "move":
      case "remove":
        return this.#agent(step);
      case "together":
        return this.#together(step);
      case "killedCalls":
        return this.#killedCalls(step);
      case "delegate":
        this.#delegated = textsNow();
        return;
      case "merge":
        return this.#merge(step);
      case "swap":
        return this.#swap(step);
      case "typeWhile":
        return this.#agentWhileTyping(step);
      case "rewind":
        return this.#rewind(Math.min(step.from, this.#made.length), step.answer);
      case "undo":
        return this.#undoRewind();
      case "accept":
      case "reject":
        return this.#decide(step);
      case "reload":
        this.#programs.forget();
        this.#changes.dispose();
        this.#window = this.#open();
        // Waits until the records are read.
        return this.#changes.accept(uriOf("none"));
      case "kill":
        return this.#restart();
      case "settle":
        return editor.settle();
      case "openCells":
        if (isFileAt(uriOf(step.file).path) && !find(step.file)) editor.openNotebook(uriOf(step.file));
        return;
      case "closeCells": {
        const notebook = findCells(step.file);
        if (notebook && !notebook.isDirty) editor.closeNotebook(notebook);
        return;
      }
      case "open":
        opened(step.file);
        return;
      case "close": {
        const document = find(step.file);
        if (document && !document.isDirty) editor.close(document);
        return;
      }
      default:
        return this.#user(step);
    }
  }

  async #user(
    step: Extract<Step, { do: "type" | "typeCell" | "save" | "revert" | "replace" | "rename" | "delete" }>,
  ): Promise<void> {
    const document = step.do === "type" ? opened(step.file) : find(step.file);
    const { path } = uriOf(step.file);
    this.#isTouched = true;
    if (step.do === "type" && document) this.#type(document, step.pick, step.isLine);
    const shown = document ?? findCells(step.file);
    if (step.do === "typeCell") findCells(step.file)?.type(step.pick % 3, `«${this.#typed++}» `);
    if (step.do === "save" && shown?.isDirty) await shown.save();
    // A program may have made a folder of it.
    const isThere = existsSync(path) && !lstatSync(path).isDirectory();
    if (step.do === "revert" && shown && isThere) shown.revert();
    if (step.do === "replace") replace(step.file, step.text);
    if (step.do === "rename" && isThere && isFree(step.to)) editor.rename(uriOf(step.file), uriOf(step.to));
    if (step.do === "delete" && isThere) editor.delete(uriOf(step.file));
  }

  #type(document: Document, pick: number, isLine: boolean): string {
    const typed = `«${this.#typed++}»`;
    document.type(pick % document.lineCount, 0, isLine ? `${typed}\n` : typed);
    return typed;
  }

  #agent(step: Call): Promise<void> {
    return this.#together({ changes: [step] });
  }

  /** Calls the tools at the same time. Those that are refused change nothing. */
  async #together({ changes }: { readonly changes: readonly Call[] }): Promise<void> {
    const before = seeAll();
    const dirty = dirtyCells();
    const { made, refusals } = await callTools(this.#changes.writer, changes, before);
    const after = seeAll();
    const others: Record<string, Seen> = { ...after };
    for (const change of made) {
      const name = nameOf(change);
      const { disk, unsaved, mode } = seenIn(before, name);
      const isSaved = dirty.has(name) && after[name]?.unsaved === undefined;
      others[name] = seenIn(before, name);
      // Cells that nothing has changed stay unsaved; the others are saved before a change.
      if (dirty.has(name) && !isSaved) continue;
      const former: Seen = isSaved
        ? { disk: Buffer.from(unsaved ?? "").toString("latin1"), unsaved: undefined, mode }
        : { disk, unsaved, mode };
      this.#made.push({ change, name, before: former, after: seenIn(after, name) });
    }
    assertNothingWritten(others, before, refusals);
    // Until a watcher tells the editor of a newer file, a refused save leaves the same text unsaved, as if typed.
    if (refusals.includes("could not be saved")) this.#isTouched = true;
  }

  async #merge(step: Extract<Step, { do: "merge" }>): Promise<void> {
    const before = seeAll();
    const texts = this.#delegated ?? textsNow();
    this.#delegated = undefined;
    let states = before;
    const changed = new Set<string>();
    const note = (changes: readonly FileChange[]) => {
      for (const change of changes) {
        const name = nameOf(change);
        const after = see(name);
        this.#made.push({ change, name, before: seenIn(states, name), after });
        states = { ...states, [name]: after };
        changed.add(name);
      }
    };
    const refusals = await mergeStep(step, texts, this.#changes.writer, note);
    const others: Record<string, Seen> = { ...seeAll() };
    for (const name of changed) others[name] = seenIn(before, name);
    assertNothingWritten(others, before, refusals);
    if (refusals.includes("could not be saved")) this.#isTouched = true;
  }

  async #swap({ files, over }: Extract<Step, { do: "swap" }>): Promise<void> {
    if (files.includes(over) || see(over).disk !== null) return;
    for (const [index, to] of [over, ...files].entries())
      await this.#agent({ do: "move", file: files[index] ?? over, to });
  }

  async #agentWhileTyping({
    moment,
    file: name,
    pick,
    text: written,
  }: Extract<Step, { do: "typeWhile" }>): Promise<void> {
    const document = opened(name);
    if (!document || !existsSync(uriOf(name).path)) return;
    this.#isTouched = true;
    const all = seeAll();
    const before = seenIn(all, name);
    let typed: string | undefined;
    moments.at = (now, at) => {
      if (now === moment && at === document && typed === undefined)
        typed = this.#type(document, pick, pick % 2 === 0);
    };
    const change = await this.#changes.writer
      .write(name, written, never, { known: allTexts })
      .catch(() => undefined);
    moments.at = () => {};
    if (typed === undefined) return this.#noteChange(change, all);
    if (moment !== "before the change")
      assert.ok(document.getText().includes(typed), `${typed} ${moment} is kept`);
    if (!change) return;
    this.#made.push({
      change,
      name,
      before: moment === "before the change" ? { ...before, unsaved: "?" } : before,
      after: { disk: "?", unsaved: undefined, mode: null },
    });
    if (moment === "before the change") return;
    const asked: string[] = [];
    await this.#changes.rewind([change], async (paths) => void asked.push(...paths));
    assert.deepEqual(asked, [name], `${typed} ${moment} counts as the user's`);
    assert.ok(document.getText().includes(typed));
  }

  /** The file may be reached through a link. */
  #noteChange(change: FileChange | undefined, before: All): void {
    if (!change) return;
    const name = nameOf(change);
    this.#made.push({ change, name, before: seenIn(before, name), after: see(name) });
  }

  async #rewind(from: number, answer: "overwrite" | "keep" | "cancel"): Promise<void> {
    const part = this.#made.slice(from);
    const before = seeAll();
    const unsaved = [...dirtyCells(), ...unsavedElsewhere()];
    const plan = new Map<string, { first: Made; last: Made }>();
    for (const made of part) plan.set(made.name, { first: plan.get(made.name)?.first ?? made, last: made });
    let asked: readonly string[] = [];
    const done = await this.#rewound(
      part.map(({ change }) => change),
      async (paths) => {
        asked = paths;
        return answer === "cancel" ? undefined : answer;
      },
    );
    const after = seeAll();
    // Notebooks with unsaved cells, and files behind links with unsaved text, are left alone, without a question.
    for (const name of unsaved)
      if (plan.delete(name)) assert.deepEqual([asked.includes(name), after[name]], [false, before[name]]);
    if (!this.#isTouched) assert.deepEqual([asked, done?.failure], [[], undefined]);
    const changed = checkRewind({ before, after, plan, asked, done, hasModes: !this.#isTouched });
    if (!done) return;
    this.#undo = { rewound: done, before, after, wasRestorable: this.#isRestorable, made: [...this.#made] };
    if (changed.size > 0) this.#made.splice(from);
    // The files that it restored have no hunks of earlier changes.
    if (changed.size > 0 && from > 0) this.#isRestorable = false;
    if (done.kept.length > 0 || done.failure !== undefined) this.#made = [];
  }

  /** Undefined if there is nothing but files that are left alone. */
  async #rewound(changes: readonly FileChange[], ask: AskAboutOthers): Promise<Rewound | undefined> {
    const dirty = new Set([...dirtyCells(), ...unsavedElsewhere()]);
    const isLeft = changes.length > 0 && changes.every((change) => dirty.has(nameOf(change)));
    const done = this.#changes.rewind(changes, ask);
    if (!isLeft) return done;
    await assert.rejects(done, /unsaved (changes in an editor that is not a text editor|text)/);
    return undefined;
  }

  async #undoRewind(): Promise<void> {
    const undo = this.#undo;
    this.#undo = undefined;
    if (!undo) return;
    const now = seeAll();
    const isUntouched = namesIn(now, undo.after).every((name) => {
      const [one, other] = [seenIn(now, name), seenIn(undo.after, name)];
      // Moves of files with the same content change only their modes.
      return isSame(one, other) && one.mode === other.mode;
    });
    const asked: string[] = [];
    const dirty = new Set([...dirtyCells(), ...unsavedElsewhere()]);
    const done = await this.#rewound(undo.rewound.changes, async (paths) => {
      asked.push(...paths);
      return "keep";
    });
    this.#made = [];
    this.#isRestorable = false;
    const isLeft = undo.rewound.changes.some((change) => dirty.has(nameOf(change)));
    if (!isUntouched || isLeft || !done || done.failure) return;
    assert.deepEqual(asked, []);
    for (const name of undo.rewound.changes.map(nameOf)) {
      const former = seenIn(undo.before, name);
      assert.deepEqual(asShown(see(name)), asShown(former), `${name} is as before the rewind`);
      if (!this.#isTouched) assert.equal(see(name).mode, former.mode, `mode of ${name}`);
    }
    // Its hunks are pending again.
    this.#isRestorable = undo.wasRestorable;
    this.#made = [...undo.made];
  }

  async #decide({ do: decision, pick, isHunk }: Extract<Step, { do: "accept" | "reject" }>): Promise<void> {
    const { files } = this.#changes;
    const chosen = files[pick % Math.max(1, files.length)];
    if (!chosen) return;
    this.#isTouched = true;
    const kept = tokensIn(seeAll());
    const id = isHunk ? chosen.hunks[pick % Math.max(1, chosen.hunks.length)]?.id : undefined;
    // Files that have each other's places after moves are rejected together only.
    const connected = id === undefined ? this.#changes.connectedWith(chosen.uri) : [];
    const decide = () =>
      decision === "reject" && connected.length > 0
        ? this.#changes.rejectTogether([chosen.uri, ...connected.map(({ uri }) => uri)])
        : this.#changes[decision](chosen.uri, id);
    await decide().catch((error: unknown) => {
      assert.equal((error as Error).constructor.name, "Refusal", String(error));
    });
    const left = tokensIn(seeAll());
    for (const token of kept)
      assert.ok(left.has(token), `${token} is kept by ${decision} of ${nameOfUri(String(chosen.uri))}`);
  }

  /** Rejecting gives all files their first bytes. Afterwards they are as before. */
  async #rejectAll(): Promise<void> {
    const back = keepAll();
    await this.#changes.rejectTogether(this.#changes.files.map(({ uri }) => uri).toReversed());
    for (const [name, content] of Object.entries(originals)) {
      const disk = content === undefined ? null : Buffer.from(content).toString("latin1");
      const mode = process.platform === "win32" ? null : (originalModes[name] ?? null);
      assert.deepEqual(see(name), { disk, unsaved: undefined, mode }, `${name} after rejecting all`);
    }
    for (const [name, target] of Object.entries(originalLinks)) {
      const disk = target === undefined ? null : `\u2192${target}`;
      assert.deepEqual(see(name), { disk, unsaved: undefined, mode: null }, `${name} after rejecting all`);
    }
    const others = Object.keys(seeAll()).filter((name) => !names.includes(name));
    assert.deepEqual(others, [], "after rejecting all");
    back();
    editor.settle();
  }

  /** Rejecting all and rewinding all restore what only the agent has changed. */
  async finish(): Promise<void> {
    await this.#programs.endAll();
    if (!this.#isTouched && this.#isRestorable) await this.#rejectAll();
    await this.#rewind(0, "overwrite");
    await this.#undoRewind();
    editor.settle();
    for (const notebook of editor.notebooks) {
      // Where a folder is now, or nothing, the editor keeps what it has shown.
      if (!notebook.isDirty && isFileAt(notebook.uri.path))
        assert.equal(notebook.text(), notebook.movedTo(notebook.uri).text(), "notebooks show their files");
    }
    for (const document of editor.documents) {
      const { disk, unsaved } = see(document.uri.path.slice(editor.root.length + 1));
      if (unsaved === undefined && disk !== null && !isLinkSeen({ disk, unsaved }))
        assert.equal(
          plain(Buffer.from(disk, "latin1").toString()),
          plain(document.getText()),
          "editors show their files",
        );
    }
  }
}
