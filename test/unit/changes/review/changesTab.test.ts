// The tab of all changed files: what the editor is asked to open and to close, and what the user is offered.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type * as vscode from "vscode";
import { replace } from "../../vscodeDouble.ts";

interface Tab {
  readonly label: string;
  readonly input: unknown;
  isActive: boolean;
}

/** A window with one group of tabs, which opens and closes as the editor does. */
function openWindow() {
  const tabs: Tab[] = [];
  const listeners = new Set<() => void>();
  const item = {
    text: "",
    isShown: false,
    show() {
      this.isShown = true;
    },
    hide() {
      this.isShown = false;
    },
    dispose() {},
  };
  const contexts = new Map<unknown, unknown>();
  const opened: number[] = [];
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const activate = (tab: Tab | undefined) => {
    for (const one of tabs) one.isActive = one === tab;
    changed();
  };
  const open = (label: string, input: unknown) => {
    tabs.push({ label, input, isActive: false });
    activate(tabs.at(-1));
  };
  replace("window", {
    createStatusBarItem: () => item,
    tabGroups: {
      get all() {
        return [{ tabs: [...tabs] }];
      },
      onDidChangeTabs(listener: () => void) {
        listeners.add(listener);
        return { dispose: () => void listeners.delete(listener) };
      },
      async close(closed: readonly Tab[]) {
        for (const tab of closed) tabs.splice(tabs.indexOf(tab), 1);
        if (!tabs.some(({ isActive }) => isActive)) activate(tabs.at(-1));
        else changed();
      },
    },
  });
  replace("commands", {
    async executeCommand(command: string, ...args: readonly unknown[]) {
      if (command === "setContext") contexts.set(args[0], args[1]);
      if (command !== "vscode.changes") return;
      const rows = args[1] as readonly unknown[];
      opened.push(rows.length);
      open(`${String(args[0])} (${rows.length} files)`, { textDiffs: rows });
    },
  });
  return { tabs, item, contexts, opened, open, activate };
}

const window = openWindow();
const { ChangesTab } = await import("../../../../src/changes/review/changesTab.ts");

function useTab(t: TestContext) {
  window.tabs.splice(0);
  window.opened.splice(0);
  let names: readonly string[] = ["a.ts"];
  const rows = () =>
    names.map(
      (name) =>
        [name, `before/${name}`, `now/${name}`] as unknown as readonly [vscode.Uri, vscode.Uri, vscode.Uri],
    );
  const tab = new ChangesTab(rows);
  t.after(() => tab.dispose());
  const labels = () => window.tabs.map(({ label }) => label);
  const change = (...files: readonly string[]) => {
    names = files;
    tab.refresh();
  };
  return { tab, labels, change };
}

test("while the user reads in the list it stays, and what it lacks is offered, with the number of files", async (t) => {
  const { tab, labels, change } = useTab(t);
  await tab.show();
  assert.equal(window.item.isShown, false);
  change("a.ts", "b.ts", "c.ts");
  assert.deepEqual(labels(), ["Changes of the Agent (1 files)"]);
  assert.deepEqual(window.opened, [1]);
  assert.equal(window.item.isShown, true);
  assert.equal(window.item.text, "$(refresh) 2 more changed files: Open Again");
  assert.equal(window.contexts.get("inference.reviewBehind"), true);
  // A file of the list that is decided, and is not changed any more, is no reason to open another list.
  change("b.ts");
  assert.equal(window.item.text, "$(refresh) 1 more changed file: Open Again");
  await tab.show();
  assert.deepEqual(labels(), ["Changes of the Agent (1 files)"]);
  assert.equal(window.item.isShown, false);
  assert.equal(window.contexts.get("inference.reviewBehind"), false);
});

test("a list that the user has left is replaced when the user comes back to it, and never before", async (t) => {
  const { tab, labels, change } = useTab(t);
  await tab.show();
  window.open("b.ts", { uri: "b.ts" });
  change("a.ts", "b.ts");
  change("a.ts", "b.ts", "c.ts");
  assert.deepEqual(labels(), ["Changes of the Agent (1 files)", "b.ts"]);
  assert.equal(window.item.isShown, false, "nothing is offered for a list that is not visible");
  window.activate(window.tabs[0]);
  await tab.show();
  assert.deepEqual(labels(), ["b.ts", "Changes of the Agent (3 files)"]);
  assert.deepEqual(window.opened, [1, 3]);
  assert.equal(window.tabs[1]?.isActive, true);
  assert.equal(window.item.isShown, false);
  // Without anything new it stays as it is.
  window.activate(window.tabs[0]);
  window.activate(window.tabs[1]);
  assert.deepEqual(window.opened, [1, 3]);
});

test("a moved or deleted file is a new row; the list closes with the last decision, and a tab of before a reload at once", async (t) => {
  window.open("Changes of the Agent (4 files)", undefined);
  const { tab, labels, change } = useTab(t);
  await tab.show();
  change("moved/a.ts");
  assert.equal(window.item.text, "$(refresh) 1 more changed file: Open Again");
  change();
  assert.deepEqual(labels(), []);
  assert.equal(window.item.isShown, false);
  assert.equal(window.contexts.get("inference.reviewBehind"), false);
  window.open("Changes of the Agent (9 files)", undefined);
  window.open("Changes of the Agent.md", { uri: "file" });
  new ChangesTab(() => []).dispose();
  assert.deepEqual(labels(), ["Changes of the Agent.md"]);
});
