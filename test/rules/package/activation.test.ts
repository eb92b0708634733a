// What the shipped bundle asks of the editor while it is activated, and in the turn after: the window waits for the first.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { root } from "../../tools/paths.ts";

/** The functions of the API that were called, such as `window.createTreeView`, in order. */
const called: string[] = [];

/** An object of the API whose every member is a function that notes its call and returns such an object again. */
function api(path: string): object {
  return new Proxy(class {}, {
    // No promise, and nothing of the user's is stored.
    get: (_, key) => (key === "then" || typeof key === "symbol" ? undefined : api(`${path}.${key}`)),
    set: () => true,
    construct: () => api(path),
    apply: (_, __, args: readonly unknown[]) => {
      called.push(path.slice(1));
      return /getConfiguration\.(get|inspect)$|State\.get$/.test(path) ? args[1] : api(path);
    },
  });
}

/** Calls of the editor's API that make or register something, with the number of each. */
function counts(calls: readonly string[]): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const name of calls)
    if (/^\w+\.(create|register)\w+$/.test(name)) found[name] = (found[name] ?? 0) + 1;
  return found;
}

test("activation registers what the editor calls at once; views and items come in the turn after it", async (t) => {
  const loader = Module as unknown as { _load: (name: string, ...rest: unknown[]) => unknown };
  const load = loader._load;
  loader._load = (name, ...rest) => (name === "vscode" ? api("") : load(name, ...rest));
  t.after(() => {
    loader._load = load;
  });
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    contributes: { commands: readonly unknown[]; languageModelTools: readonly unknown[] };
  };
  const subscriptions: { dispose(): void }[] = [];
  const context = new Proxy(
    { subscriptions, extension: { packageJSON: manifest } },
    { get: (target, key) => Reflect.get(target, key) ?? api(`.context.${String(key)}`) },
  );
  const { activate } = createRequire(import.meta.url)(join(root, "dist", "extension.js")) as {
    activate(context: unknown): void;
  };
  called.length = 0;
  activate(context);
  const { commands, languageModelTools } = manifest.contributes;
  assert.deepEqual(counts(called), {
    "window.createOutputChannel": 1,
    "workspace.registerNotebookSerializer": 1,
    "workspace.registerTextDocumentContentProvider": 1,
    "lm.registerLanguageModelChatProvider": 1,
    "lm.registerMcpServerDefinitionProvider": 1,
    "commands.registerCommand": commands.length,
    "lm.registerTool": languageModelTools.length,
  });
  called.length = 0;
  await turn();
  const later = counts(called);
  for (const name of [
    "window.createTreeView",
    "window.registerWebviewViewProvider",
    "window.createStatusBarItem",
  ])
    assert.ok(later[name], `${name}: ${JSON.stringify(later)}`);
  for (const one of subscriptions) one.dispose();
});
