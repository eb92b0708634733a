// What is told of the problems after an edit, outside of the editor: which look tells, and how long it waits.
import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { afterEach, beforeEach, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Uri } from "vscode";
import type { WrittenText } from "../../../../../../src/changes/engine/pendingChanges.ts";

interface Problem {
  readonly severity: number;
  readonly message: string;
  readonly range: { readonly start: { readonly line: number } };
}
interface Tab {
  readonly input: object;
  readonly isActive: boolean;
  readonly isDirty: boolean;
}

class TabInputText {
  readonly uri: object;
  constructor(uri: object) {
    this.uri = uri;
  }
}

/** The editor: its tabs, the texts of its documents and the problems of its language services, by URI. */
class Editor {
  tabs: Tab[] = [];
  readonly texts = new Map<string, string>();
  readonly problems = new Map<string, readonly Problem[]>();
  /** Each opening and closing of a tab. */
  readonly log: string[] = [];
  /** Whether it opens and closes tabs. */
  isQuick = true;
  /** What a slow editor has been asked to do. */
  readonly waiting: (() => void)[] = [];
  readonly listeners = new Set<(event: object) => void>();
  /** The time of the last change of each file, by URI. */
  readonly times = new Map<string, number>();

  async slowly(work: () => void): Promise<void> {
    if (!this.isQuick) await new Promise<void>((resolve) => this.waiting.push(resolve));
    work();
  }
  /** Opens and closes what waits. */
  goOn(): void {
    this.isQuick = true;
    for (const go of this.waiting.splice(0)) go();
  }
  report(uri: object, ...problems: readonly Problem[]): void {
    this.problems.set(String(uri), problems);
    for (const listener of this.listeners) listener({ uris: [uri] });
  }
}
let editor = new Editor();
/** Ends what still waits. */
let end = new AbortController();
beforeEach(() => {
  editor = new Editor();
  end = new AbortController();
});
afterEach(() => end.abort());

const uriOf = (path: string) => ({ path: `/ws/${path}`, toString: () => `file:///ws/${path}` });
const double = {
  TabInputText,
  DiagnosticSeverity: { 0: "Error", 1: "Warning", Error: 0, Warning: 1 },
  commands: {
    async executeCommand(name: string, uri: object) {
      if (name !== "vscode.open") return [];
      await editor.slowly(() => {
        editor.log.push(`open ${uri}`);
        editor.tabs.push({ input: new TabInputText(uri), isActive: false, isDirty: false });
      });
      return undefined;
    },
  },
  languages: {
    getDiagnostics: (uri?: object) =>
      uri ? (editor.problems.get(String(uri)) ?? []) : [...editor.problems].map(([key, all]) => [key, all]),
    onDidChangeDiagnostics(listener: (event: object) => void) {
      editor.listeners.add(listener);
      return { dispose: () => editor.listeners.delete(listener) };
    },
  },
  window: {
    tabGroups: {
      get all() {
        return [{ tabs: editor.tabs }];
      },
      close: (tab: Tab) =>
        editor.slowly(() => {
          editor.log.push(`close ${(tab.input as TabInputText).uri}`);
          editor.tabs = editor.tabs.filter((other) => other !== tab);
        }),
    },
  },
  workspace: {
    fs: { stat: async (uri: object) => ({ mtime: editor.times.get(String(uri)) ?? 0, size: 1 }) },
    openTextDocument: async () => ({}),
    get textDocuments() {
      return editor.tabs.map(({ input }) => {
        const { uri } = input as TabInputText;
        return { uri, getText: () => editor.texts.get(String(uri)) };
      });
    },
    asRelativePath: ({ path }: { readonly path: string }) => path.replace("/ws/", ""),
    getWorkspaceFolder: () => ({}),
  },
};
Object.assign(globalThis, { problemsDouble: double });
const source = Object.keys(double).map((name) => `export const ${name} = globalThis.problemsDouble.${name};`);
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode"
      ? {
          url: `data:text/javascript,${encodeURIComponent(source.join("\n"))}`,
          format: "module",
          shortCircuit: true,
        }
      : next(specifier, context),
});
const { BackgroundTabs } = await import("../../../../../../src/chat/host/tools/language/backgroundTabs.ts");
const { EditProblems } = await import("../../../../../../src/chat/host/tools/language/editProblems.ts");

const endless = 2 ** 30;
/** They wait for a report, whenever it comes. */
const forReport = { firstReport: endless, quiet: 0, longest: endless };
const uri = uriOf("a.ts");
const problem = (message: string, line = 0): Problem => ({
  severity: 0,
  message,
  range: { start: { line } },
});

/** Changes the file, as an edit does. Returns what is told of it. */
function change(
  problems: InstanceType<typeof EditProblems>,
  after: string,
  of = uri,
  call: { readonly conversation?: string } = {},
): Promise<string> {
  const since = problems.since(call);
  const key = String(of);
  const text: WrittenText = {
    uri: of as unknown as Uri,
    path: of.path.replace("/ws/", ""),
    before: editor.texts.get(key),
    after,
  };
  editor.texts.set(key, after);
  return since.newIn([text], end.signal);
}

test("edits of a file that follow each other are looked at once: only the last one waits, and tells of all of them", async () => {
  const problems = new EditProblems(new BackgroundTabs(), forReport);
  editor.texts.set(String(uri), "1\n2\n3\n");
  const first = change(problems, "one\n2\n3\n");
  await nextTurn();
  // The service is between two edits.
  editor.problems.set(String(uri), [problem("wrong 1")]);
  const second = change(problems, "one\ntwo\n3\n");
  const third = change(problems, "one\ntwo\nthree\n");
  assert.deepEqual([await first, await second], ["", ""], "a look whose text is not the last one ends");
  editor.report(uri, problem("wrong 1"), problem("wrong 3", 2));
  assert.match(await third, /a\.ts:1: Error: wrong 1\na\.ts:3: Error: wrong 3$/);
  assert.deepEqual(editor.log, [`open ${uri}`, `close ${uri}`]);
});

test("what a file had before the first of its edits is not told as new by the last one", async () => {
  const problems = new EditProblems(new BackgroundTabs(), forReport);
  editor.texts.set(String(uri), "1\n2\n");
  editor.tabs.push({ input: new TabInputText(uri), isActive: true, isDirty: false });
  editor.report(uri, problem("old"));
  const first = change(problems, "0\n1\n2\n");
  await nextTurn();
  const second = change(problems, "0\n1\n2\n3\n");
  editor.report(uri, problem("old", 1), problem("new", 3));
  assert.equal(await first, "");
  assert.equal(await second, "New problems:\na.ts:4: Error: new");
  assert.deepEqual(editor.log, [], "its tab is the user's");
});

test("a file that only a look has opened is none whose problems were known", async () => {
  const tabs = new BackgroundTabs();
  const problems = new EditProblems(tabs, forReport);
  editor.texts.set(String(uri), "1\n");
  const close = await tabs.open(uri as unknown as Uri);
  const told = change(problems, "2\n");
  await nextTurn();
  editor.report(uri, problem("old"));
  assert.match(await told, /^Problems, some of which may be older/);
  await close();
  assert.deepEqual(editor.log, [`open ${uri}`, `close ${uri}`]);
});

test("an editor that takes long to open or to close a file holds no edit up, and closes it in the end", async () => {
  const tabs = new BackgroundTabs();
  editor.isQuick = false;
  const late = await change(new EditProblems(tabs, { ...forReport, longest: 1 }), "1\n");
  assert.match(late, /^The language service was not done after [\d.]+ s: read_problems waits longer\.$/);
  editor.goOn();
  while (editor.log.length < 2) await nextTurn();
  assert.deepEqual(editor.log, [`open ${uri}`, `close ${uri}`]);
  const told = change(new EditProblems(tabs, forReport), "2\n");
  while (editor.log.length < 3) await nextTurn();
  editor.isQuick = false;
  editor.report(uri, problem("wrong"));
  while (editor.waiting.length === 0) await nextTurn();
  end.abort();
  assert.match(await told, /wrong$/);
});

test("a file that is being closed is opened again for the next look", async () => {
  const tabs = new BackgroundTabs();
  const close = await tabs.open(uri as unknown as Uri);
  editor.isQuick = false;
  const closing = close();
  const opening = tabs.open(uri as unknown as Uri);
  editor.goOn();
  await closing;
  const closeAgain = await opening;
  assert.deepEqual(editor.log, [`open ${uri}`, `close ${uri}`, `open ${uri}`]);
  const shared = await tabs.open(uri as unknown as Uri);
  await closeAgain();
  assert.equal(editor.tabs.length, 1, "another one looks at it");
  await shared();
  assert.equal(editor.tabs.length, 0);
});

const task = { conversation: "c" };

/** Lets what is not waited for be done. */
async function aWhile(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}

test("an edit of a task waits for nothing: the next request tells what was found meanwhile, and tells it once", async () => {
  const problems = new EditProblems(new BackgroundTabs(), forReport, forReport);
  const { ofTasks } = problems;
  editor.tabs.push({ input: new TabInputText(uri), isActive: true, isDirty: false });
  editor.texts.set(String(uri), "1\n2\n");
  editor.report(uri, problem("old"));
  assert.equal(await change(problems, "0\n1\n2\n", uri, task), "");
  assert.equal(await ofTasks.take("c", []), "", "the service has not looked at it yet");
  editor.report(uri, problem("old", 1), problem("new", 2));
  await aWhile();
  const note = await ofTasks.take("c", []);
  assert.match(note, /^Problems after your changes, as the editor tells them .*:\na\.ts:3: Error: new$/);
  assert.equal(await ofTasks.take("c", [note]), "");
  assert.equal(await ofTasks.take("another", []), "");
  assert.equal(
    await ofTasks.take("c", []),
    note,
    "the request with the note is not in the conversation any more",
  );
});

test("what comes after the look is told by a later request, and only while the file has the text of the edit", async () => {
  const problems = new EditProblems(new BackgroundTabs(), forReport, { ...forReport, firstReport: 0 });
  const { ofTasks } = problems;
  editor.tabs.push({ input: new TabInputText(uri), isActive: true, isDirty: false });
  editor.texts.set(String(uri), "1\n");
  await change(problems, "2\n", uri, task);
  assert.equal(await ofTasks.haveErrors("c"), false);
  assert.equal(await ofTasks.take("c", []), "");
  editor.report(uri, problem("late"));
  assert.match(await ofTasks.take("c", []), /late$/);
  await change(problems, "3\n", uri, task);
  await ofTasks.haveErrors("c");
  editor.report(uri, problem("later"));
  editor.texts.set(String(uri), "typed by the user\n");
  assert.equal(await ofTasks.take("c", []), "");
});

test("a closed file is looked at once the request is sent, and what was found is not told of a file that has changed since", async () => {
  const problems = new EditProblems(new BackgroundTabs(), forReport, forReport);
  const { ofTasks } = problems;
  editor.texts.set(String(uri), "1\n");
  await change(problems, "2\n", uri, task);
  await aWhile();
  assert.deepEqual(editor.log, [], "no tab is opened while the calls of the reply run");
  await ofTasks.take("c", []);
  await aWhile();
  editor.report(uri, problem("first"), problem("second", 1));
  await aWhile();
  assert.deepEqual(editor.log, [`open ${uri}`, `close ${uri}`]);
  editor.times.set(String(uri), 1);
  assert.equal(await ofTasks.take("c", []), "", "a command has changed it");
  await change(problems, "3\n", uri, task);
  await ofTasks.take("c", []);
  await aWhile();
  editor.report(uri, problem("first"), problem("second", 1));
  await aWhile();
  assert.match(
    await ofTasks.take("c", []),
    /:\nOf files that were not open before, so some may be older:\na\.ts:1: Error: first\na\.ts:2: Error: second$/,
  );
});

test("the end of a task has errors to tell if its edits have made them, whenever the service has found them", async () => {
  const problems = new EditProblems(new BackgroundTabs(), forReport, forReport);
  const { ofTasks } = problems;
  assert.equal(await ofTasks.haveErrors("c"), false);
  const told = async (...found: readonly Problem[]) => {
    editor.texts.set(String(uri), "1\n2\n");
    await change(problems, `1\n${Math.random()}\n`, uri, task);
    await ofTasks.take("c", []);
    const waiting = ofTasks.haveErrors("c");
    await aWhile();
    editor.report(uri, ...found);
    return waiting;
  };
  assert.equal(await told(problem("older", 0)), false, "it may be older than the edit");
  await ofTasks.take("c", []);
  assert.equal(await told(problem("older", 0), { ...problem("warning", 1), severity: 1 }), false);
  await ofTasks.take("c", []);
  assert.equal(await told(problem("older", 0), problem("made", 1)), true);
  assert.match(await ofTasks.take("c", []), /made/);
  assert.equal(await ofTasks.haveErrors("c"), false, "it was told");
});
