import * as vscode from "vscode";
import { isMembers } from "../../shared/members.ts";
import { commands, reviewContexts } from "../../shared/names/ids.ts";
import { plural } from "../../shared/text/plural.ts";

/** A row of the tab: the file, and both sides of its diff. */
export type DiffRow = readonly [file: vscode.Uri, before: vscode.Uri, now: vscode.Uri];

/** The editor adds the number of files. */
const title = "Changes of the Agent";

/**
 * The tab with the diffs of all changed files. The editor keeps its list as it was opened, and can only open another tab. So a
 * tab whose list lacks files is replaced when the user comes to it. While the user reads in it, its place and the focus stay:
 * an item in the status bar and a button of the tab offer the whole list.
 */
export class ChangesTab implements vscode.Disposable {
  readonly #rows: () => readonly DiffRow[];
  readonly #item: vscode.StatusBarItem;
  readonly #watching: vscode.Disposable;
  #listed: ReadonlySet<string> = new Set();
  /** The tab was visible when it was last looked at. */
  #wasShown = false;
  #isBehind = false;
  #opening: Promise<void> | undefined;

  constructor(rows: () => readonly DiffRow[]) {
    this.#rows = rows;
    this.#item = vscode.window.createStatusBarItem(
      "inference.changesTab",
      vscode.StatusBarAlignment.Left,
      19,
    );
    this.#item.name = "Changed Files of the Agent";
    this.#item.command = commands.changesShowAll;
    this.#item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
    this.#watching = vscode.window.tabGroups.onDidChangeTabs(() => this.refresh());
    // The editor restores it after a reload, but without its files.
    close(tabsOfAll());
  }

  /** Opens the tab with all files, in place of the one that is open. */
  show(): Promise<void> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
      this.refresh();
    });
    return this.#opening;
  }

  /** Looks at the open tab: it is closed without any file, replaced, or marked. */
  refresh(): void {
    const rows = this.#rows();
    const tabs = tabsOfAll();
    if (this.#opening) return;
    if (rows.length === 0) close(tabs);
    const missing = rows.filter((row) => !this.#listed.has(keyOf(row))).length;
    const isShown = tabs.some(({ isActive }) => isActive);
    const isReturned = isShown && !this.#wasShown;
    this.#wasShown = isShown;
    if (isReturned && missing > 0) void this.show();
    else this.#mark(isShown ? missing : 0);
  }

  dispose(): void {
    this.#mark(0);
    this.#watching.dispose();
    this.#item.dispose();
  }

  async #open(): Promise<void> {
    const rows = this.#rows();
    const former = tabsOfAll();
    this.#listed = new Set(rows.map(keyOf));
    await vscode.commands.executeCommand("vscode.changes", title, rows);
    this.#wasShown = true;
    // The editor itself replaces a tab in preview, about which this window may learn later.
    await vscode.window.tabGroups.close(former.filter(isOpen)).then(undefined, () => {});
  }

  #mark(missing: number): void {
    if (missing === 0) this.#item.hide();
    else {
      const text = `${plural(missing, "more changed file")}: Open Again`;
      this.#item.text = `$(refresh) ${text}`;
      this.#item.tooltip = `The open list of changes was made before the agent changed ${missing === 1 ? "it" : "them"}. Select to open the whole list.`;
      this.#item.accessibilityInformation = { label: text };
      this.#item.show();
    }
    if (this.#isBehind === missing > 0) return;
    this.#isBehind = missing > 0;
    void vscode.commands.executeCommand("setContext", reviewContexts.reviewBehind, this.#isBehind);
  }
}

/**
 * True for the tab that compares all files. The API has no type for the input of such a tab. The known inputs have the file or
 * the view that they show.
 */
export function isOfAll({ input, label }: vscode.Tab): boolean {
  const isKnown = isMembers(input) && ["uri", "modified", "viewType"].some((name) => name in input);
  return !isKnown && label.startsWith(title);
}

function tabsOfAll(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(isOfAll);
}

function isOpen(tab: vscode.Tab): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) => tabs.includes(tab));
}

function close(tabs: readonly vscode.Tab[]): void {
  if (tabs.length > 0) void vscode.window.tabGroups.close(tabs);
}

/** A file that is created, deleted or moved has other sides. */
function keyOf([, before, now]: DiffRow): string {
  return `${before} ${now}`;
}
