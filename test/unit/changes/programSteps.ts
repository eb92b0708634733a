// What programs do in the random cases.

import { isUtf8 } from "node:buffer";
import type { FileChange, ProgramRun } from "../../../src/changes/engine/pendingChanges.ts";
import type { CallContext, ChatTool } from "../../../src/chat/host/tools/tool.ts";
import type { Step } from "./changesSteps.ts";
import { runLine } from "./commandShell.ts";
import { editor, loadWithEditor } from "./editorModel.ts";
import { lineOf } from "./programLines.ts";
import type { Made } from "./rewindCheck.ts";
import { type All, isLinkSeen, nameOf, namesIn, plain, type Seen, see, seeAll, seenIn } from "./seenFiles.ts";

type ProgramStep = Extract<Step, { do: "program" }>;

type Begin = (onChanged: (changes: readonly FileChange[]) => void) => Promise<ProgramRun>;

/** The programs that run at the same time, and what they have changed. */
export class RunningPrograms {
  readonly #made: (made: Made) => void;
  #states: All = {};
  #runs: readonly ProgramRun[] = [];

  constructor(made: (made: Made) => void) {
    this.#made = made;
  }

  /** Begins one more. */
  async begin(begin: Begin): Promise<ProgramRun> {
    const run = await begin((changes) => this.#note(changes));
    if (this.#runs.length === 0) this.#states = seeAll();
    this.#runs = [...this.#runs, run];
    return run;
  }

  async end(run: ProgramRun): Promise<void> {
    this.#runs = this.#runs.filter((one) => one !== run);
    await run.end();
  }

  async collect(): Promise<void> {
    await this.#runs.at(-1)?.collect();
  }

  async endAll(): Promise<void> {
    for (const run of this.#runs) await this.end(run);
  }

  #note(changes: readonly FileChange[]): void {
    for (const change of changes) {
      const name = nameOf(change);
      const before = { ...seenIn(this.#states, name), unsaved: undefined };
      const after = { ...see(name), unsaved: undefined };
      this.#made({ change, name, before, after });
      this.#states = { ...this.#states, [name]: after };
    }
  }

  /** What others have changed is not the programs'. */
  follow(): void {
    if (this.#runs.length > 0) this.#states = seeAll();
  }

  /** Their window has ended. */
  forget(): void {
    this.#runs = [];
  }
}

/** Changes files by real processes. Resolves to whether all of it is pending, so that rejections restore it. */
export async function act({ acts }: ProgramStep): Promise<boolean> {
  const before = seeAll();
  await runLine(acts.map((one) => `{ ${lineOf(one)}; }`).join("; "), editor.root);
  const after = seeAll();
  return namesIn(before, after).every((name) => isPending(seenIn(before, name), seenIn(after, name)));
}

/** False for changes without lines: of modes, of line ends and byte order marks, and of what is no text. */
function isPending(before: Seen, after: Seen): boolean {
  if (before.disk === after.disk) return before.disk === null || before.mode === after.mode;
  if (after.disk === null || isLinkSeen(after)) return true;
  if (!isText(after.disk)) return false;
  if (before.disk === null || isLinkSeen(before)) return true;
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

const { withSavedFiles } = await loadWithEditor<{
  readonly withSavedFiles: (tool: ChatTool) => ChatTool;
}>("src/chat/host/tools/commands/savedFirst.ts");

/** What the tools of programs do before: files with unsaved text are saved, so far as the editor can. */
export async function saveFirst(): Promise<void> {
  const { signal } = new AbortController();
  const context = {} as CallContext;
  await withSavedFiles({ run: async () => "" } as unknown as ChatTool).run?.({}, signal, context);
}
