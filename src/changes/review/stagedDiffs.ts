import * as vscode from "vscode";
import { Refusal } from "../../platform/errors/refusal.ts";
import { reviewScheme } from "../../shared/names/ids.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";
import type { StagedChange } from "../engine/staged/stagedChange.ts";
import type { StagedChanges } from "../engine/staged/stagedChanges.ts";

export type Decision = "accept" | "reject";

/** The diffs of staged changes: a closed diff drops its change, and a dropped change closes its diff. */
export class StagedDiffs implements vscode.Disposable {
  readonly changes: StagedChanges;
  /** Reads these sides again. */
  readonly #read: (sides: readonly vscode.Uri[]) => void;
  /** The changes whose sides were read just now. True for those that have changed since. */
  readonly #waiting = new Map<string, { readonly timer: NodeJS.Timeout; isDue: boolean }>();
  readonly #listening: vscode.Disposable;

  constructor(changes: StagedChanges, read: (sides: readonly vscode.Uri[]) => void) {
    this.changes = changes;
    this.#read = read;
    this.#listening = vscode.Disposable.from(
      changes.onDidChange((change) => {
        if (changes.has(change)) this.#refresh(change);
        else void this.#close(change);
      }),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const tab of closed) {
          const change = this.#changeIn(tab);
          if (change && this.#tabsOf(change).length === 0) changes.drop(change);
        }
      }),
    );
    // The editor restores the diffs of an earlier window, whose changes are gone.
    const left = allTabs().filter((tab) => newSideOf(tab) && !this.#changeIn(tab));
    if (left.length > 0) void vscode.window.tabGroups.close(left);
  }

  /** The change of the active diff. */
  get active(): StagedChange | undefined {
    return this.#changeIn(vscode.window.tabGroups.activeTabGroup.activeTab);
  }

  /** Opens the diff, or reveals it, at a line of the new side; without one, at the first hunk. */
  async show(change: StagedChange, line?: number): Promise<void> {
    const { title, viewColumn, document } = change.proposal;
    const shown = line ?? change.file.hunks[0]?.startLine ?? change.lines.start.line;
    const [before, after] = sidesOf(change);
    for (const uri of [before, after]) {
      const side = await vscode.workspace.openTextDocument(uri);
      if (document && side.languageId !== document.languageId)
        await vscode.languages.setTextDocumentLanguage(side, document.languageId);
    }
    const options = {
      preview: false,
      // The side of a notebook's cell has the notebook's name, and would be compared as a notebook.
      override: false,
      selection: new vscode.Range(shown, 0, shown, 0),
      ...(viewColumn === undefined ? {} : { viewColumn }),
    };
    await vscode.commands.executeCommand("vscode.diff", before, after, title, options);
  }

  /** Decides a change, or one hunk. A change without any other hunk is dropped. */
  async decide(decision: Decision, change: StagedChange, hunkId?: string): Promise<void> {
    if (decision === "reject" && hunkId === undefined) return this.changes.drop(change);
    try {
      if (decision === "accept") await change.accept(hunkId);
      else if (hunkId !== undefined) await change.reject(hunkId);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return void offerCopy(change, error.message);
    }
    if (change.isSame) this.changes.drop(change);
    else this.changes.touch(change);
  }

  dispose(): void {
    for (const { timer } of this.#waiting.values()) clearTimeout(timer);
    this.#listening.dispose();
  }

  /** At once, or with the next frame if that was just now. A longer text costs more to send and compare. */
  #refresh(change: StagedChange): void {
    const waiting = this.#waiting.get(change.id);
    if (waiting) {
      waiting.isDue = true;
      return;
    }
    this.#read(sidesOf(change));
    const everyMs = Math.max(80, change.sides.before.length / 5_000);
    const timer = setTimeout(() => {
      const isDue = this.#waiting.get(change.id)?.isDue === true;
      this.#waiting.delete(change.id);
      if (isDue && this.changes.has(change)) this.#refresh(change);
    }, everyMs);
    this.#waiting.set(change.id, { timer, isDue: false });
  }

  async #close(change: StagedChange): Promise<void> {
    const tabs = this.#tabsOf(change);
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs);
  }

  #changeIn(tab: vscode.Tab | undefined): StagedChange | undefined {
    const side = newSideOf(tab);
    return side && this.changes.of(side);
  }

  #tabsOf(change: StagedChange): readonly vscode.Tab[] {
    const side = change.sideUri("after").toString();
    return allTabs().filter((tab) => newSideOf(tab)?.toString() === side);
  }
}

function allTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
}

/** Undefined for a tab that is not the diff of a staged change. */
function newSideOf(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const { input } = tab ?? {};
  if (!(input instanceof vscode.TabInputTextDiff)) return undefined;
  const { modified } = input;
  return modified.scheme === reviewScheme && modified.authority !== "empty" ? modified : undefined;
}

function sidesOf(change: StagedChange): readonly [before: vscode.Uri, after: vscode.Uri] {
  return [change.sideUri("before"), change.sideUri("after")];
}

/** Says why it was not accepted, and offers what is left to do. */
async function offerCopy({ proposal, text }: StagedChange, reason: string): Promise<void> {
  const [copy, again] = ["Copy Answer", "Ask Again"];
  const sentence = `${reason} You can still compare the answer in the diff.`;
  const choices = proposal.askAgain ? [copy, again] : [copy];
  const chosen = await vscode.window.showWarningMessage(withoutLinks(sentence), ...choices);
  if (chosen === copy) await vscode.env.clipboard.writeText(text);
  if (chosen === again) await proposal.askAgain?.();
}
