import { basename } from "node:path";
import * as vscode from "vscode";
import { gatewayConfigScheme } from "../../../shared/names/ids.ts";
import type { ConfigChange } from "../../programs/configuration/configChange.ts";

const applyKey = process.platform === "darwin" ? "Cmd+Enter" : "Ctrl+Enter";

interface Open {
  readonly change: ConfigChange;
  readonly answer: (isWanted: boolean) => void;
}

/**
 * Comparisons that ask whether a file is to be changed. The answers are commands of the comparison's editor, so that
 * nothing lies over what changes, and no other message takes them away.
 */
export class ConfigDiffs {
  /** By the fragment of their address. */
  readonly #open = new Map<string, Open>();
  readonly #registered = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(gatewayConfigScheme, {
      provideTextDocumentContent: ({ query, fragment }) =>
        this.#open.get(fragment)?.change[query === "before" ? "before" : "after"] ?? "",
    }),
    vscode.window.tabGroups.onDidChangeTabs(() => this.#endClosed()),
  );
  #count = 0;

  /**
   * Shows what would change in a file. Ends when the user has chosen, or has closed the comparison: false. `lead` begins the
   * message that says how to choose.
   */
  async confirm(change: ConfigChange, lead: string): Promise<boolean> {
    // Of two answers to one file, the second would be to a text that is no longer there.
    for (const { change: earlier, answer } of this.#open.values())
      if (earlier.path === change.path) answer(false);
    // A new address each time, because the editor keeps the text of a known one.
    const fragment = `${Date.now()}.${++this.#count}`;
    const sideOf = (query: "before" | "after") =>
      vscode.Uri.file(change.path).with({ scheme: gatewayConfigScheme, query, fragment });
    try {
      const answer = new Promise<boolean>((resolve) => {
        this.#open.set(fragment, { change, answer: resolve });
      });
      await vscode.commands.executeCommand(
        "vscode.diff",
        sideOf("before"),
        sideOf("after"),
        titleOf(change),
        { preview: false },
      );
      this.#endClosed();
      void vscode.window.showInformationMessage(
        `${lead}Choose above the comparison: Apply Change (${applyKey}) or Leave as It Is (Escape).`,
      );
      return await answer;
    } finally {
      this.#open.delete(fragment);
      await vscode.window.tabGroups.close(shownTabs().filter((tab) => fragmentOf(tab) === fragment));
    }
  }

  /** The answer to the comparison with this address, or to the one that has the focus. */
  answer(address: unknown, isWanted: boolean): void {
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    const fragment = address instanceof vscode.Uri ? address.fragment : activeTab && fragmentOf(activeTab);
    this.#open.get(fragment ?? "")?.answer(isWanted);
  }

  dispose(): void {
    this.#registered.dispose();
    for (const { answer } of this.#open.values()) answer(false);
  }

  #endClosed(): void {
    const shown = new Set(shownTabs().map(fragmentOf));
    for (const [fragment, { answer }] of this.#open) if (!shown.has(fragment)) answer(false);
  }
}

function titleOf({ path, before, after }: ConfigChange): string {
  const name = basename(path);
  if (before === undefined) return `${name}: New File`;
  return after === undefined ? `${name}: Now ↔ Removed` : `${name}: Now ↔ After`;
}

function shownTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter((tab) => fragmentOf(tab) !== undefined);
}

/** Undefined for another tab. */
function fragmentOf({ input }: vscode.Tab): string | undefined {
  if (!(input instanceof vscode.TabInputTextDiff)) return undefined;
  return input.modified.scheme === gatewayConfigScheme ? input.modified.fragment : undefined;
}
