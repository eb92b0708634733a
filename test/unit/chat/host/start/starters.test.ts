import assert from "node:assert/strict";
import { test } from "node:test";
import type { EditorSources } from "../../../../../src/chat/host/attachments/sources/sources.ts";
import {
  type Answerer,
  startersOf,
  type WorkspaceFacts,
} from "../../../../../src/chat/host/start/starters.ts";
import { builtInScripts } from "../../../../../src/sandbox/chat/scripted/builtInScripts.ts";
import { sampleCode, sampleParts } from "../../../../../src/shared/names/sampleCode.ts";
import { emptyEditor, ended, openChat, openViewWith, serveChat } from "../../chat.ts";

const none = { errors: 0, warnings: 0 };
const open = (name: string, languageId: string, code = "") => ({ name, languageId, code: () => code });
const hello: WorkspaceFacts = { file: open("hello.ts", "typescript", sampleCode), problems: none };
const texts = (facts: WorkspaceFacts, answerer: Answerer = "languageModel") =>
  startersOf(facts, answerer).map(({ text }) => text);

test("first questions are about the open file, its selection and its problems, then the folder", () => {
  const folder = { name: "shop", uri: "file:///work/shop" };
  assert.deepEqual(texts({ ...hello, folder }), [
    "Explain hello.ts",
    "Write tests for hello.ts",
    "What is the project shop about, and how is it built?",
    "Write a regular expression for ISO dates",
  ]);
  assert.deepEqual(
    texts({ ...hello, selection: "lines 3 to 8", problems: { errors: 2, warnings: 5 } }).slice(0, 3),
    ["Fix the 2 errors in hello.ts", "Explain lines 3 to 8 of hello.ts", "Write tests for hello.ts"],
  );
  assert.equal(texts({ ...hello, problems: { errors: 0, warnings: 1 } })[0], "Fix the warning in hello.ts");
  const notes = { file: open("notes.md", "markdown"), problems: none };
  assert.equal(texts(notes)[0], "Summarize notes.md in five sentences");
});

test("a first question attaches its subject", () => {
  const [fix, explain] = startersOf(
    { ...hello, selection: "line 3", problems: { errors: 1, warnings: 0 } },
    "languageModel",
  );
  assert.deepEqual(fix?.attach, [{ kind: "editor" }, { kind: "problems" }]);
  assert.deepEqual(explain?.attach, [{ kind: "selection" }]);
});

test("the sandbox's own models are asked questions that they can answer", () => {
  assert.deepEqual(texts(hello, "guide"), [
    "Explain hello.ts",
    "What can you do?",
    "What does a request cost?",
    "How do I sign in with my key?",
  ]);
  const rust = { file: open("main.rs", "rust"), problems: none };
  assert.equal(texts(rust, "guide")[0], "What can you do?");
});

test("the model that plays scripts is asked for scripts that it has", () => {
  const names = builtInScripts.map(({ name }) => name);
  const offered = texts(hello, "scripted");
  assert.equal(offered[0], "Fix the failing test");
  assert.deepEqual(
    offered.filter((text) => !names.includes(text)),
    [],
  );
});

test("the sandbox is asked to explain only the sample of the tour, whole or in part", () => {
  const cases: readonly (readonly [name: string, code: string, isExplained: boolean])[] = [
    ["hello.ts", sampleCode, true],
    ["copy.ts", sampleParts.function, true],
    ["hello.ts", sampleCode.replace("Hello", "Goodbye"), false],
    ["more.ts", `${sampleCode}console.log(greet("Ada"));\n`, false],
    ["empty.ts", "", false],
  ];
  for (const [name, code, isExplained] of cases) {
    const asked = texts({ file: open(name, "typescript", code), problems: none }, "guide");
    assert.equal(asked.includes(`Explain ${name}`), isExplained, name);
  }
});

test("a file that looks secret is no subject; without an open file the questions are general", () => {
  const secret = { file: open(".env", "dotenv"), problems: none };
  assert.deepEqual(texts(secret), texts({ problems: none }));
  assert.equal(texts({ problems: none }).length, 2);
});

test("a first question is sent with its subject, and the list follows the open file", async (t) => {
  let facts = hello;
  const listeners = new Set<() => void>();
  const editor: EditorSources = {
    ...emptyEditor,
    facts: () => facts,
    onDidChangeFacts(listener) {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
    find: async () => ({ kind: "editor", name: "hello.ts", languageId: "typescript", text: "export {};" }),
  };
  const service = await serveChat(t);
  const view = await openViewWith(openChat(t, service, { editor }).controller, "echo");
  await view.until(({ starters }) => starters[0] === "Explain hello.ts");
  facts = { ...hello, file: open("other.ts", "typescript", sampleCode) };
  for (const listener of listeners) listener();
  await view.until(({ starters }) => starters[0] === "Explain other.ts");
  await view.say("start", { text: "Explain other.ts" });
  const { messages } = await view.until(ended);
  const [question] = messages;
  assert.ok(question?.role === "user");
  assert.deepEqual(
    [question.text, question.attachments?.map(({ name }) => name)],
    ["Explain other.ts", ["hello.ts"]],
  );
  assert.match(view.answer.text, /export \{\};/);
});
