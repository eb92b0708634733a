// What programs do in the random cases.

import { isUtf8 } from "node:buffer";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import type { FileChange, ProgramRun } from "../../../src/changes/engine/pendingChanges.ts";
import type { Step } from "./changesSteps.ts";
import { editor } from "./editorModel.ts";
import type { Made } from "./rewindCheck.ts";
import { nameOf, plain, put, type Seen, see, seeAll, uriOf } from "./seenFiles.ts";

type ProgramStep = Extract<Step, { do: "program" }>;

/** A program that runs, and what it has changed. */
export class RunningProgram {
  readonly run: ProgramRun;
  #states: Record<string, Seen>;
  readonly #made: (made: Made) => void;

  private constructor(run: ProgramRun, states: Record<string, Seen>, made: (made: Made) => void) {
    this.run = run;
    this.#states = states;
    this.#made = made;
  }

  static async start(
    begin: (onChanged: (changes: readonly FileChange[]) => void) => Promise<ProgramRun>,
    made: (made: Made) => void,
  ): Promise<RunningProgram> {
    let program: RunningProgram | undefined;
    const run = await begin((changes) => {
      if (program) program.#note(changes);
    });
    program = new RunningProgram(run, seeAll(), made);
    return program;
  }

  #note(changes: readonly FileChange[]): void {
    for (const change of changes) {
      const name = nameOf(change);
      const before = { ...(this.#states[name] as Seen), unsaved: undefined };
      const after = { ...see(name), unsaved: undefined };
      this.#made({ change, name, before, after });
      this.#states[name] = after;
    }
  }

  /** What others have changed is not the program's. */
  follow(): void {
    this.#states = seeAll();
  }
}

/** Changes files as a program does. Returns whether all of it is pending, so that rejections restore it. */
export function act({ acts }: ProgramStep): boolean {
  const before = seeAll();
  for (const one of acts) actOnce(one);
  const after = seeAll();
  return Object.keys(before).every((name) => isPending(before[name] as Seen, after[name] as Seen));
}

function actOnce({ act, file, to, text }: ProgramStep["acts"][number]): void {
  const { path } = uriOf(file);
  if (act === "generate") put(file, text);
  if (act === "binary") put(file, new Uint8Array([0, text.length]));
  if (act === "link") link();
  if (!existsSync(path)) return;
  if (act === "append") appendFileSync(path, "program\n");
  if (act === "remove") rmSync(path);
  if (act === "chmod") chmodSync(path, text.length % 2 === 0 ? 0o600 : 0o744);
  if (act === "touch") utimesSync(path, 1_000, 1_000);
  if (act === "move" && file !== to) {
    put(to, "");
    renameSync(path, uriOf(to).path);
  }
  if (act === "sed") replaceLine(path, file);
}

/** As `sed -i`: in a new file of the same mode. */
function replaceLine(path: string, file: string): void {
  const { mode } = see(file);
  const temporary = `${file}.sed`;
  put(temporary, Buffer.from(readFileSync(path, "latin1").replace(/[^\n]*/, "program"), "latin1"));
  if (mode !== null) chmodSync(uriOf(temporary).path, mode);
  renameSync(uriOf(temporary).path, path);
}

function link(): void {
  const path = join(editor.root, "link.txt");
  // Its file may be gone.
  if (!lstatSync(path, { throwIfNoEntry: false })) symlinkSync("lf.txt", path);
}

/** False for changes without lines: of modes, of line ends and byte order marks, and of what is no text. */
function isPending(before: Seen, after: Seen): boolean {
  if (before.disk === after.disk) return before.disk === null || before.mode === after.mode;
  if (after.disk === null) return true;
  if (!isText(after.disk)) return false;
  if (before.disk === null) return true;
  const isSameText = plain(utf8(before.disk)) === plain(utf8(after.disk));
  return isText(before.disk) && !isSameText && before.mode === after.mode;
}

function isText(latin: string): boolean {
  const bytes = Buffer.from(latin, "latin1");
  return isUtf8(bytes) && !bytes.includes(0);
}

function utf8(latin: string): string {
  return Buffer.from(latin, "latin1").toString();
}
