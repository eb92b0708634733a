import assert from "node:assert/strict";
import { test } from "node:test";
import type { EditorSources } from "../../../../../../src/chat/host/attachments/sources/sources.ts";
import { emptyEditor, ended, openChat, openView, openViewWith, serveChat } from "../../../chat.ts";
import { editorWith, file, sentBy } from "../attaching.ts";

test("attached texts precede the question, each with its source", async (t) => {
  const service = await serveChat(t);
  const { controller } = openChat(t, service, { editor: editorWith({ "src/b.ts": "let b;\n" }) });
  const view = await openViewWith(controller, "echo");
  await view.say("attach", { request: { kind: "selection" } });
  await view.say("attach", file("src/b.ts"));
  assert.deepEqual(
    view.state.attachments.map(({ kind, name, detail, tokens }) => [kind, name, detail, tokens]),
    [
      ["selection", "a.ts", "lines 2 to 3", 2],
      ["file", "src/b.ts", undefined, 2],
    ],
  );
  const body = await sentBy(service, () => view.say("send", { text: "What is this?", revision: 1 }));
  assert.deepEqual(body.messages, [
    {
      role: "user",
      content: [
        { type: "text", text: "a.ts (lines 2 to 3):\n```typescript\nlet a;\n```\n" },
        { type: "text", text: "src/b.ts:\n```\nlet b;\n```\n" },
        { type: "text", text: "What is this?" },
      ],
    },
  ]);
  await view.until(ended);
  assert.deepEqual(view.state.attachments, []);
  const [question] = view.state.messages;
  assert.equal(question?.role === "user" && question.attachments?.length, 2);
});

test("attachments are sent again with the next question, also after a reload of the window", async (t) => {
  const service = await serveChat(t);
  const chat = openChat(t, service, { editor: editorWith({ "b.ts": "let b;" }) });
  const view = await openViewWith(chat.controller, "echo");
  await view.say("attach", file("b.ts"));
  await view.say("send", { text: "one", revision: 1 });
  await view.until(ended);
  await view.say("attach", file("b.ts"));
  chat.controller.dispose();
  const again = await openViewWith(chat.reopen().controller, "echo");
  assert.deepEqual(
    again.state.attachments.map(({ name }) => name),
    ["b.ts"],
  );
  await again.say("detach", { attachmentId: again.state.attachments[0]?.id ?? "" });
  const body = await sentBy(service, () => again.say("send", { text: "two", revision: 1e15 }));
  assert.equal(body.messages[0].content[0].text, "b.ts:\n```\nlet b;\n```\n");
  assert.equal(body.messages[2].content, "two");
});

test("an attachment's content is neither posted to a view nor stored in the conversation's file", async (t) => {
  const service = await serveChat(t);
  const chat = openChat(t, service, { editor: editorWith({ "b.ts": "canary-of-content" }) });
  const view = await openViewWith(chat.controller, "long");
  await view.say("attach", file("b.ts"));
  await view.say("send", { text: "1 KB", revision: 1 });
  await view.until(ended);
  chat.controller.dispose();
  assert.ok(!JSON.stringify(view.posted).includes("canary-of-content"));
  assert.ok(!JSON.stringify(chat.files()).includes("canary-of-content"));
});

test("a link to a file that looks secret asks with the name of the target", async (t) => {
  const asked: string[] = [];
  const files = editorWith({ "readme.txt": "PRIVATE", "notes.txt": "text" });
  const editor: EditorSources = {
    ...files,
    async find(request, signal) {
      const found = await files.find(request, signal);
      const isFile = typeof found !== "string" && found.kind === "bytes";
      const real = isFile && found.name === "readme.txt" ? "/home/me/.ssh/id_rsa" : "/work/notes.txt";
      return isFile ? { ...found, realPath: real } : found;
    },
    confirm: async (question) => asked.push(question) > 9,
  };
  const view = await openView(openChat(t, await serveChat(t), { editor }).controller);
  await view.say("attach", file("readme.txt"));
  assert.deepEqual(asked, [
    "id_rsa looks like a file of keys or passwords. If you attach it, it is sent to Test.",
  ]);
  assert.deepEqual(view.state.attachments, []);
  await view.say("attach", file("notes.txt"));
  assert.equal(view.state.attachments.length, 1);
});

test("a file that looks secret is refused with the reason, and sent after a confirmation", async (t) => {
  const service = await serveChat(t);
  const asked: string[] = [];
  let answer = false;
  const editor = {
    ...editorWith({ ".env": "A=1" }),
    confirm: async (sentence: string) => {
      asked.push(sentence);
      return answer;
    },
  };
  const view = await openView(openChat(t, service, { editor }).controller);
  await view.say("attach", file(".env"));
  assert.equal(
    view.state.attachmentNotice,
    ".env looks like a file of keys or passwords and was not attached.",
  );
  assert.deepEqual(view.state.attachments, []);
  assert.deepEqual(asked, [
    ".env looks like a file of keys or passwords. If you attach it, it is sent to Test.",
  ]);
  answer = true;
  await view.say("attach", file(".env"));
  assert.equal(view.state.attachmentNotice, null);
  assert.equal(view.state.attachments.length, 1);
  await view.say("attachFile", { name: "id_rsa", bytes: Buffer.from("x") });
  assert.equal(asked.length, 3);
});

test("an attachment that can't be sent is reported and removed", async (t) => {
  const editor = editorWith({ "a.bin": "\0\0\0", "broken.png": Buffer.from("89504e470d0a1a0a00", "hex") });
  const { controller } = openChat(t, await serveChat(t), { editor });
  const view = await openView(controller);
  for (const [path, reason] of [
    ["gone.ts", "gone.ts can't be read: there is no such file."],
    ["a.bin", "a.bin can't be attached: it is neither text, nor an image, nor a supported document."],
    ["broken.png", "broken.png can't be read as an image."],
  ] as const) {
    await view.say("attach", file(path));
    assert.equal(view.state.attachmentNotice, reason);
    assert.deepEqual(view.state.attachments, []);
  }
});

test("the same file is attached once, and stays removed if it is removed while it is read", async (t) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const files = editorWith({ "b.ts": "let b;", "slow.ts": "let c;" });
  const editor: EditorSources = {
    ...files,
    find: async (request, signal) => {
      if (request.kind === "uri" && request.uri.endsWith("slow.ts")) await held;
      return files.find(request, signal);
    },
  };
  const view = await openView(openChat(t, await serveChat(t), { editor }).controller);
  await view.say("attach", file("b.ts"));
  await view.say("attach", file("b.ts"));
  assert.equal(view.state.attachments.length, 1);
  const reading = view.say("attach", file("slow.ts"));
  const { attachments } = await view.until((state) => state.attachments.length === 2);
  assert.equal(attachments[1]?.pending, "reading");
  await view.say("send", { text: "not yet", revision: 1 });
  assert.equal(view.state.messages.length, 0);
  await view.say("detach", { attachmentId: attachments[1]?.id ?? "" });
  release();
  await reading;
  assert.deepEqual(
    view.state.attachments.map(({ name }) => name),
    ["b.ts"],
  );
});

test("a question that fails is restored in the prompt with its attachments", async (t) => {
  const faults = [{ kind: "status", status: 402, times: 1, match: { path: "/chat/completions" } }] as const;
  const service = await serveChat(t, { faults });
  const { controller } = openChat(t, service, { editor: editorWith({ "b.ts": "let b;" }) });
  const view = await openViewWith(controller, "echo");
  await view.say("attach", file("b.ts"));
  await view.say("send", { text: "hello", revision: 1 });
  await view.until(({ problem }) => problem !== null);
  assert.deepEqual(
    [view.state.draft.text, view.state.attachments.map(({ name }) => name)],
    ["hello", ["b.ts"]],
  );
});

test("an edited question keeps its attachments", async (t) => {
  const service = await serveChat(t);
  const { controller } = openChat(t, service, { editor: editorWith({ "b.ts": "let b;" }) });
  const view = await openViewWith(controller, "echo");
  await view.say("attach", file("b.ts"));
  await view.say("send", { text: "hello", revision: 1 });
  await view.until(ended);
  const questionId = view.state.messages[0]?.id ?? "";
  const body = await sentBy(service, () => view.say("edit", { questionId, text: "goodbye" }));
  assert.equal(body.messages[0].content.length, 2);
});

test("completion shows the results of the newest query", async (t) => {
  const editor: EditorSources = {
    ...emptyEditor,
    suggest: async (query) => [{ request: { kind: "problems" }, icon: "problems", name: query }],
  };
  const view = await openView(openChat(t, await serveChat(t), { editor }).controller);
  await Promise.all([view.say("mention", { query: "a" }), view.say("mention", { query: "ab" })]);
  assert.deepEqual(
    [view.state.mentions?.query, view.state.mentions?.items.map(({ name }) => name)],
    ["ab", ["ab"]],
  );
});
