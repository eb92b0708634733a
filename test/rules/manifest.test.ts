// The manifest and ids.ts say the same, and the manifest asks for nothing that the project has forsworn.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  chatTab,
  commands,
  contexts,
  extensionId,
  languages,
  notebooks,
  renderers,
  settings,
  views,
  walkthroughs,
} from "../../src/shared/ids.ts";
import { rpcOutputMime } from "../../src/shared/rpcOutput.ts";
import { root } from "../vscode/paths.ts";

interface Command {
  readonly command: string;
  readonly title?: string;
  readonly category?: string;
  readonly enablement?: string;
}
interface Setting {
  readonly type: string;
  readonly scope?: string;
  readonly default?: unknown;
  readonly markdownDescription?: string;
  readonly enum?: readonly string[];
}
interface MenuItem {
  readonly command?: string;
  readonly when?: string;
}
interface View {
  readonly id: string;
  readonly when?: string;
}
interface Walkthrough {
  readonly id: string;
  readonly steps: readonly {
    readonly id: string;
    readonly description: string;
    readonly media: { readonly svg: string };
    readonly completionEvents: readonly string[];
  }[];
}
interface Manifest {
  readonly name: string;
  readonly publisher: string;
  readonly engines: { readonly vscode: string };
  readonly dependencies?: object;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly activationEvents?: readonly string[];
  readonly enabledApiProposals?: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly commands: readonly Command[];
    readonly viewsContainers: Readonly<Record<string, readonly { id: string; icon: string }[]>>;
    readonly views: Readonly<Record<string, readonly View[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string }[];
    readonly walkthroughs: readonly Walkthrough[];
    readonly notebooks: readonly { readonly type: string }[];
    readonly languages: readonly { readonly id: string }[];
    readonly notebookRenderer: readonly { readonly id: string; readonly mimeTypes: readonly string[] }[];
    readonly menus?: Readonly<Record<string, readonly MenuItem[]>>;
    readonly configuration: readonly { readonly properties: Readonly<Record<string, Setting>> }[];
  };
}

const text = readFileSync(join(root, "package.json"), "utf8");
const manifest = JSON.parse(text) as Manifest;
const { contributes } = manifest;
const declared = Object.assign(
  {},
  ...contributes.configuration.map(({ properties }) => properties),
) as Record<string, Setting>;
const declaredViews = Object.values(contributes.views).flat();
const menuItems = Object.values(contributes.menus ?? {}).flat();

/** The categories of commands by the noun of their id; the others are "Inference". */
const categories: Readonly<Record<string, string>> = {
  key: "Inference Account",
  usage: "Inference Account",
  account: "Inference Account",
  budget: "Inference Account",
  rpc: "Inference RPC",
  speech: "Inference Speech",
  voice: "Inference Speech",
  image: "Inference Images",
};

function assertSame(actual: readonly string[], expected: readonly string[]): void {
  assert.deepEqual([...actual].sort(), [...expected].sort());
}

test("commands are those of ids.ts, each with title and category, named noun and verb", () => {
  assertSame(
    contributes.commands.map(({ command }) => command),
    Object.values(commands),
  );
  for (const { command, title, category } of contributes.commands) {
    assert.match(command, /^inference\.[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/);
    assert.ok(title, `${command} has no title`);
    assert.equal(category, categories[command.split(".")[1] ?? ""] ?? "Inference", command);
  }
});

test("views and their containers are those of ids.ts", () => {
  const containers = Object.values(contributes.viewsContainers).flat();
  assertSame(
    [...containers, ...declaredViews].map(({ id }) => id),
    Object.values(views),
  );
  assertSame(
    Object.keys(contributes.views),
    containers.map(({ id }) => id),
  );
  for (const { icon } of containers) assert.ok(existsSync(join(root, icon)), icon);
});

test("the extension's id is that of ids.ts", () => {
  assert.equal(`${manifest.publisher}.${manifest.name}`, extensionId);
});

test("notebooks, their languages and renderers are those of ids.ts", () => {
  assertSame(
    contributes.notebooks.map(({ type }) => type),
    Object.values(notebooks),
  );
  assertSame(
    contributes.languages.map(({ id }) => id),
    Object.values(languages),
  );
  assertSame(
    contributes.notebookRenderer.map(({ id }) => id),
    Object.values(renderers),
  );
  assert.deepEqual(
    contributes.notebookRenderer.map(({ mimeTypes }) => mimeTypes),
    [[rpcOutputMime]],
  );
});

test("settings are those of ids.ts, each described, its default among its values", () => {
  assertSame(Object.keys(declared), Object.values(settings));
  for (const [id, setting] of Object.entries(declared)) {
    assert.match(id, /^inference\.[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/);
    assert.ok(setting.markdownDescription, `${id} is not described`);
    assert.ok(setting.default !== undefined, `${id} has no default`);
    if (setting.enum) assert.ok(setting.enum.includes(String(setting.default)), id);
  }
});

test("settings come from the user alone, never from a workspace", () => {
  for (const [id, { scope }] of Object.entries(declared)) assert.equal(scope, "application", id);
  assertSame(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, Object.keys(declared));
});

/** The rows of a page's table of settings, by id; two of one area may share a row. */
function settingsIn(page: string): Map<string, string> {
  const rows = readFileSync(join(root, page), "utf8").matchAll(/^\| (`inference\.[^|]+) \| ([^|]+) \|/gm);
  const defaults = new Map<string, string>();
  for (const [, names = "", values = ""] of rows) {
    const ids = [...names.matchAll(/`([\w.]+)`/g)].map(([, name = ""]) => name);
    const area = ids[0]?.replace(/\w+$/, "");
    const given = values.split(", ");
    for (const [index, id] of ids.entries())
      defaults.set(index === 0 ? id : `${area}${id}`, (given[index] ?? given[0] ?? "").replaceAll("`", ""));
  }
  return defaults;
}

test("README and guide name settings of the manifest with their defaults; the guide lists all", () => {
  for (const page of ["README.md", "media/docs/11-settings.md"]) {
    const written = settingsIn(page);
    assert.ok(written.size > 5, page);
    for (const [id, value] of written) assert.equal(value, wordOf(declared[id]?.default), `${page}: ${id}`);
  }
  assertSame([...settingsIn("media/docs/11-settings.md").keys()], Object.keys(declared));
});

function wordOf(value: unknown): string {
  if (value === false) return "off";
  if (value === true) return "on";
  if (Array.isArray(value) && value.length > 0) return value.join(" ");
  return typeof value === "object" ? "none" : String(value);
}

test("activation waits until the window has started, and no event is listed twice", () => {
  const events = manifest.activationEvents ?? [];
  assert.ok(events.includes("onStartupFinished")); // the light bulb and the hover are there in every language
  for (const event of events) {
    assert.notEqual(event, "*");
    const [kind, id] = event.split(":");
    assert.notEqual(kind, "onLanguage", "onStartupFinished comes before the first file that needs us");
    if (kind === "onCommand") assert.fail(`${event}: VS Code derives it from the command ${id}`);
  }
});

/** What the command palette knows of a window: context keys by name; the others are unset. */
type Window = Readonly<Record<string, string | number | boolean>>;

/** Evaluates the part of VS Code's `when` clauses that this manifest uses for the command palette. */
function holds(clause: string | undefined, window: Window): boolean {
  if (clause === undefined) return true;
  return clause.split("||").some((alternative) =>
    alternative.split("&&").every((term) => {
      const [, not = "", key = "", operator, value = ""] =
        /^\s*(!?)([\w.]+)\s*(?:(==|!=|>)\s*'?([^']*?)'?)?\s*$/.exec(term) ??
        assert.fail(`not understood: ${term}`);
      if (key === "false") return false;
      const actual = window[key];
      if (operator === "==") return String(actual) === value;
      if (operator === "!=") return String(actual) !== value;
      if (operator === ">") return Number(actual ?? 0) > Number(value);
      return Boolean(actual) !== (not === "!");
    }),
  );
}

/** Titles of the commands that the palette offers, as it shows them. */
function offered(window: Window): string[] {
  const clauses = new Map((contributes.menus?.commandPalette ?? []).map((item) => [item.command, item.when]));
  return contributes.commands
    .filter(({ command, enablement }) => holds(clauses.get(command), window) && holds(enablement, window))
    .map(({ category, title }) => `${category}: ${title}`);
}

const emptyEditors: Readonly<Record<string, Window>> = {
  "a new window": { "inference.connectionState": "none" },
  "the sandbox": { "inference.connectionState": "sandbox", workspaceFolderCount: 1 },
  "an account, with the chat": {
    "inference.connectionState": "live",
    "view.inference.chat.visible": true,
    workspaceFolderCount: 1,
  },
  "an account that needs an ADMIN key, with its usage": {
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
    for (const title of ["New Chat", "Sign In…", "Show Log"])
      assert.ok(titles.includes(`Inference: ${title}`));
  });
}

test("an open file, a notebook and an edit bring their commands", () => {
  const base: Window = { "inference.connectionState": "sandbox" };
  assert.ok(offered({ ...base, editorIsOpen: true }).includes("Inference: Explain"));
  assert.ok(offered({ ...base, notebookType: "inference-rpc" }).includes("Inference RPC: Convert RPC Cell"));
  assert.ok(offered({ ...base, resourceScheme: "inference-edit" }).includes("Inference: Accept Edit"));
});

test("no proposed API, no run-time dependencies, exact versions", () => {
  assert.equal(manifest.enabledApiProposals, undefined);
  assert.equal(manifest.dependencies, undefined);
  for (const [name, version] of Object.entries(manifest.devDependencies)) {
    assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
  }
});

test("the API that is compiled against is that of the oldest VS Code supported", () => {
  const oldest = /^\^(\d+\.\d+\.\d+)$/.exec(manifest.engines.vscode)?.[1];
  assert.equal(oldest, "1.106.0");
  assert.equal(manifest.devDependencies["@types/vscode"], oldest);
});

test("menus and welcome texts point at what there is", () => {
  const known: readonly string[] = Object.values(commands);
  const knownViews = declaredViews.map(({ id }) => id);
  for (const { command } of menuItems) if (command) assert.ok(known.includes(command), command);
  for (const { view, contents } of contributes.viewsWelcome) {
    assert.ok(knownViews.includes(view), view);
    const links = [...contents.matchAll(/\(command:([\w.]+)/g)].map(([, command = ""]) => command);
    for (const link of links) assert.ok(known.includes(link), link);
  }
});

test("each step of the tour has its picture, points at what there is, and ends by something that can happen", () => {
  assert.deepEqual(
    contributes.walkthroughs.map(({ id }) => id),
    Object.values(walkthroughs),
  );
  const known = new Set<string>([
    // A command that was called may have come to nothing: steps end by what has happened.
    ...Object.values(contexts).map((id) => `onContext:${id}`),
    ...Object.values(views).map((id) => `onView:${id}`),
    ...Object.keys(declared).map((id) => `onSettingChanged:${id}`),
    `onContext:${contexts.speechState} == 'reading'`,
    "onContext:activeWebviewPanelId == 'inference.usageDashboard'",
  ]);
  const focus = Object.values(views).map((id) => `${id}.focus`);
  const linked = new Set<string>([...Object.values(commands), ...focus]);
  for (const { id, description, media, completionEvents } of contributes.walkthroughs.flatMap(
    ({ steps }) => steps,
  )) {
    assert.ok(existsSync(join(root, media.svg)), `${id}: ${media.svg}`);
    for (const [, command = ""] of description.matchAll(/\(command:([^)]+)\)/g))
      assert.ok(linked.has(command), command);
    assert.ok(completionEvents.length > 0, id);
    for (const event of completionEvents) assert.ok(known.has(event), event);
  }
});

test("clauses read context keys of ids.ts alone", () => {
  const clauses = [...menuItems, ...declaredViews].map(({ when }) => when);
  const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
  const ends = steps.flatMap(({ completionEvents }) => completionEvents);
  const read = ends
    .filter((event) => event.startsWith("onContext:"))
    .map((event) => event.slice("onContext:".length));
  const enabled = contributes.commands.map(({ enablement }) => enablement);
  const all = [...clauses, ...enabled, ...read].join(" ").replaceAll("'inference.usageDashboard'", "");
  const own = [...all.matchAll(/\binference\.[\w.]+/g)].map(([key]) => key);
  const known: readonly string[] = [
    ...Object.values(contexts),
    ...Object.values(views),
    ...Object.values(views).map((view) => `${view}.visible`),
    ...Object.keys(declared),
    chatTab,
  ];
  assert.deepEqual(
    own.filter((key) => !known.includes(key.replace(/^config\./, ""))),
    [],
  );
  for (const key of Object.values(contexts)) assert.ok(own.includes(key), `nothing reads ${key}`);
});
