// The commands that the command palette offers in a window.
import assert from "node:assert/strict";
import { test } from "node:test";
import { contributes } from "./manifest.ts";

/** The context keys of a window, by name, for the command palette; the others are unset. */
type Window = Readonly<Record<string, string | number | boolean>>;

/** Evaluates the subset of VS Code's `when` clauses that this manifest uses for the command palette. */
function holds(clause: string | undefined, window: Window): boolean {
  if (clause === undefined) return true;
  return clause
    .split(" || ")
    .some((alternative) =>
      alternative.split("&&").every((term) => matches(term.trim(), window) ?? compares(term, window)),
    );
}

/** Whether a key matches a pattern; undefined for a term of another form. */
function matches(term: string, window: Window): boolean | undefined {
  const [, name = "", pattern] = /^(\w+) =~ \/(.*)\/$/.exec(term) ?? [];
  return pattern === undefined ? undefined : new RegExp(pattern).test(String(window[name] ?? ""));
}

function compares(term: string, window: Window): boolean {
  const [, not = "", key = "", operator, value = ""] =
    /^\s*(!?)([\w.]+)\s*(?:(==|!=|>)\s*'?([^']*?)'?)?\s*$/.exec(term) ??
    assert.fail(`not understood: ${term}`);
  if (key === "false") return false;
  const actual = window[key];
  if (operator === "==") return String(actual) === value;
  if (operator === "!=") return String(actual) !== value;
  if (operator === ">") return Number(actual ?? 0) > Number(value);
  return Boolean(actual) !== (not === "!");
}

/** Titles of the commands in the palette. */
function offered(window: Window): string[] {
  const clauses = new Map((contributes.menus?.commandPalette ?? []).map((item) => [item.command, item.when]));
  return contributes.commands
    .filter(({ command, enablement }) => holds(clauses.get(command), window) && holds(enablement, window))
    .map(({ category, title }) => `${category}: ${title}`);
}

const emptyEditors: Readonly<Record<string, Window>> = {
  "a new window": { "inference.connectionState": "none" },
  "the sandbox": { "inference.connectionState": "sandbox", workspaceFolderCount: 1 },
  "the image studio": {
    "inference.connectionState": "sandbox",
    workspaceFolderCount: 1,
    editorIsOpen: true, // also for a web view
    activeWebviewPanelId: "inference.imageStudio",
  },
  "the usage dashboard": {
    "inference.connectionState": "live",
    workspaceFolderCount: 1,
    editorIsOpen: true,
    activeWebviewPanelId: "inference.usageDashboard",
  },
  "an account with the chat": {
    "inference.connectionState": "live",
    "view.inference.chat.visible": true,
    workspaceFolderCount: 1,
  },
  "an account without an ADMIN key, with the usage view": {
    "inference.connectionState": "live",
    "inference.needsAdmin": true,
    "view.inference.usage.visible": true,
    workspaceFolderCount: 1,
  },
};

for (const [name, window] of Object.entries(emptyEditors)) {
  test(`the command palette offers at most 25 commands with an empty editor: ${name}`, () => {
    const titles = offered(window);
    assert.ok(titles.length <= 25, `${titles.length}:\n${titles.join("\n")}`);
    for (const title of ["Chat: New Conversation", "Connection: Sign In…", "Connection: Show Log"])
      assert.ok(titles.includes(`Inference ${title}`), title);
  });
}

test("what has to be set up first is offered before, with what was allowed", () => {
  for (const window of Object.values(emptyEditors))
    for (const title of [
      "Tools: Copy MCP Configuration…",
      "Language Models: Use in VS Code's Chat…",
      "Connection: Permissions…",
    ])
      assert.ok(offered(window).includes(`Inference ${title}`), title);
});

test("the dashboard offers its commands without the views in the side bar", () => {
  const titles = offered(emptyEditors["the usage dashboard"] ?? assert.fail());
  for (const title of ["Export Usage…", "Change Budget…"])
    assert.ok(titles.includes(`Inference Account: ${title}`), title);
});

test("an answer is stopped only while it is written", () => {
  const stop = "Inference Chat: Stop Answer";
  assert.ok(!offered({}).includes(stop));
  assert.ok(offered({ "inference.chatBusy": true }).includes(stop));
});

test("an open file, a notebook and an edit add their commands", () => {
  const base: Window = { "inference.connectionState": "sandbox" };
  assert.ok(offered({ ...base, editorIsOpen: true }).includes("Inference Editor: Explain"));
  const markdown = offered({ ...base, editorIsOpen: true, editorLangId: "markdown" });
  for (const verb of ["Proofread", "Rewrite", "Shorten", "Summarise", "Translate…"]) {
    assert.ok(markdown.includes(`Inference Editor: ${verb}`));
    assert.ok(
      !offered({ ...base, editorIsOpen: true, editorLangId: "rust" }).includes(`Inference Editor: ${verb}`),
    );
  }
  assert.ok(offered({ ...base, notebookType: "inference-rpc" }).includes("Inference RPC: Convert Cell"));
  const edit = offered({
    ...base,
    "inference.reviewing": true,
    resource: "inference-review://edit/1/after/a",
  });
  for (const name of ["Changes: Accept File", "Changes: Reject File", "Editor: Ask for the Edit Again…"])
    assert.ok(edit.includes(`Inference ${name}`), name);
});
