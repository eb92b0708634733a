import * as vscode from "vscode";

interface OpenedTab {
  /** Resolves to whether the tab was shown when it was opened. */
  readonly opening: Promise<boolean>;
  users: number;
}

/**
 * Tabs behind the others for files that no tab has, because language services look at hidden documents either late or
 * never. Those who look at the same file at the same time share its tab, which is closed with the last of them.
 */
export class BackgroundTabs {
  readonly #opened = new Map<string, OpenedTab>();
  /** Tabs that are being closed. They resolve whatever happens. */
  readonly #closing = new Map<string, Promise<void>>();

  /** True for a file that has such a tab, or gets it. */
  has(uri: vscode.Uri): boolean {
    return this.#opened.has(uri.toString());
  }

  /** Opens a file unless a tab has it. Returns what ends the need for it. A tab that the user has gone to or typed in stays. */
  async open(uri: vscode.Uri): Promise<() => Promise<void>> {
    const key = uri.toString();
    const closing = this.#closing.get(key);
    if (closing) await closing;
    const known = this.#opened.get(key);
    if (!known && isInTab(uri)) return async () => {};
    const opened = known ?? { opening: openBehind(uri), users: 0 };
    this.#opened.set(key, opened);
    // Before anything is waited for: the others may end meanwhile.
    opened.users += 1;
    const wasActive = await opened.opening.catch((error: unknown) => {
      if (this.#opened.get(key) === opened) this.#opened.delete(key);
      throw error;
    });
    return async () => {
      opened.users -= 1;
      if (opened.users > 0) return;
      this.#opened.delete(key);
      const closed = close(uri, wasActive).finally(() => this.#closing.delete(key));
      this.#closing.set(
        key,
        closed.catch(() => {}),
      );
      await closed;
    };
  }
}

/** True for a file whose text the editor has in a tab. */
export function isInTab(uri: vscode.Uri): boolean {
  return tabOf(uri) !== undefined;
}

/** Opens a file in a new tab, which is not shown unless it is the only one. Resolves to whether it is. */
async function openBehind(uri: vscode.Uri): Promise<boolean> {
  const options = { background: true, preserveFocus: true, preview: false };
  await vscode.commands.executeCommand("vscode.open", uri, options);
  // A tab that is not shown has no document.
  await vscode.workspace.openTextDocument(uri).then(undefined, () => {});
  return tabOf(uri)?.isActive === true;
}

async function close(uri: vscode.Uri, wasActive: boolean): Promise<void> {
  const tab = tabOf(uri);
  if (tab && tab.isActive === wasActive && !tab.isDirty) await vscode.window.tabGroups.close(tab, true);
}

function tabOf(uri: vscode.Uri): vscode.Tab | undefined {
  const key = uri.toString();
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .find(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === key);
}
