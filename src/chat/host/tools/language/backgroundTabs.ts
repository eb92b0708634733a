import * as vscode from "vscode";

interface OpenedTab {
  readonly wasActive: boolean;
  users: number;
}

/**
 * Tabs behind the others for files that no tab has, because language services look at hidden documents either late or
 * never. Those who look at the same file at the same time share its tab, which is closed with the last of them.
 */
export class BackgroundTabs {
  readonly #opened = new Map<string, Promise<OpenedTab>>();

  /** Opens a file unless a tab has it. Returns what ends the need for it. A tab that the user has gone to or typed in stays. */
  async open(uri: vscode.Uri): Promise<() => Promise<void>> {
    const key = uri.toString();
    if (!this.#opened.has(key)) {
      if (isInTab(uri)) return async () => {};
      const opening = openBehind(uri);
      this.#opened.set(key, opening);
      opening.catch(() => this.#opened.delete(key));
    }
    const opened = await this.#opened.get(key);
    if (!opened) return async () => {};
    opened.users += 1;
    return async () => {
      opened.users -= 1;
      if (opened.users > 0) return;
      this.#opened.delete(key);
      const tab = tabOf(uri);
      if (tab && tab.isActive === opened.wasActive && !tab.isDirty)
        await vscode.window.tabGroups.close(tab, true);
    };
  }
}

/** True for a file whose text the editor has in a tab. */
export function isInTab(uri: vscode.Uri): boolean {
  return tabOf(uri) !== undefined;
}

/** Opens a file in a new tab, which is not shown unless it is the only one. */
async function openBehind(uri: vscode.Uri): Promise<OpenedTab> {
  const options = { background: true, preserveFocus: true, preview: false };
  await vscode.commands.executeCommand("vscode.open", uri, options);
  // A tab that is not shown has no document.
  await vscode.workspace.openTextDocument(uri).then(undefined, () => {});
  return { wasActive: tabOf(uri)?.isActive === true, users: 0 };
}

function tabOf(uri: vscode.Uri): vscode.Tab | undefined {
  const key = uri.toString();
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .find(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === key);
}
