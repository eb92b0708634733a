import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { encode } from "fast-png";
import type { EditorSources } from "../../../src/features/chat/attachments/sources.ts";

import {
  emptyEditor,
  ended,
  openChat,
  openView,
  openViewWith,
  serveChat,
  type TestService,
} from "../chat/chat.ts";

const documents = join(import.meta.dirname, "..", "fixtures", "documents");

/** An editor with these files, by their paths. */
function editorWith(files: Readonly<Record<string, string | Uint8Array>>): EditorSources {
  return {
    ...emptyEditor,
    nameOf: (uri) => uri.replace("file:///", ""),
    find: async (request) => {
      if (request.kind !== "uri") {
        return {
          kind: "selection",
          name: "a.ts",
          detail: "lines 2 to 3",
          languageId: "typescript",
          text: "let a;\n",
        };
      }
      const name = request.uri.replace("file:///", "");
      const content = files[name];
      if (content === undefined) return `${name} can't be read: there is no such file.`;
      const bytes = new Uint8Array(Buffer.from(content));
      return { kind: "bytes", name, uri: request.uri, bytes, size: bytes.byteLength };
    },
  };
}

const file = (path: string) => ({ request: { kind: "uri" as const, uri: `file:///${path}` } });

function picture(width: number, height: number) {
  return new Uint8Array(encode({ width, height, data: new Uint8Array(width * height), channels: 1 }));
}

async function sentBy(service: TestService, run: () => Promise<void>) {
  const arrived = service.sandbox.nextRequest({ path: "/chat/completions" });
  await run();
  return JSON.parse((await arrived).bodyText);
}

test("texts go along as parts that say where they are from, before the question", async (t) => {
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

test("what went along goes along again with the next question, also after the window was loaded anew", async (t) => {
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

test("no content of an attachment is ever posted to a view, nor kept in the conversation's own file", async (t) => {
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

test("a file that looks secret is refused with the reason, and goes along once that is confirmed", async (t) => {
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
    ".env looks like a file of keys or passwords, and was not attached.",
  );
  assert.deepEqual(view.state.attachments, []);
  assert.deepEqual(asked, [".env looks like a file of keys or passwords. Attached, it is sent to Test."]);
  answer = true;
  await view.say("attach", file(".env"));
  assert.equal(view.state.attachmentNotice, null);
  assert.equal(view.state.attachments.length, 1);
  await view.say("attachFile", { name: "id_rsa", bytes: Buffer.from("x") });
  assert.equal(asked.length, 3);
});

test("what can't go along is said, and nothing stays", async (t) => {
  const editor = editorWith({ "a.bin": "\0\0\0", "broken.png": Buffer.from("89504e470d0a1a0a00", "hex") });
  const { controller } = openChat(t, await serveChat(t), { editor });
  const view = await openView(controller);
  for (const [path, reason] of [
    ["gone.ts", "gone.ts can't be read: there is no such file."],
    ["a.bin", "a.bin is neither text nor an image nor a document that can be sent."],
    ["broken.png", "broken.png can't be read as an image."],
  ] as const) {
    await view.say("attach", file(path));
    assert.equal(view.state.attachmentNotice, reason);
    assert.deepEqual(view.state.attachments, []);
  }
});

test("the same thing twice is attached once; removed while it is read, it stays away", async (t) => {
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

test("an image goes to a model that sees, as a data URL; another one is told of it", async (t) => {
  const service = await serveChat(t);
  const png = picture(40, 30);
  const { controller } = openChat(t, service);
  const view = await openViewWith(controller, "echo");
  await view.say("attachFile", { name: "Image.png", bytes: png });
  assert.deepEqual(
    view.state.attachments.map(({ kind, detail, width, height }) => [kind, detail, width, height]),
    [["image", "40 × 30", 40, 30]],
  );
  const body = await sentBy(service, () => view.say("send", { text: "What is on it?", revision: 1 }));
  const url = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
  assert.deepEqual(body.messages[0].content[0], { type: "image_url", image_url: { url } });
  await view.until(ended);
  await view.say("pickModel", { modelId: "guide" });
  const blind = await sentBy(service, () => view.say("send", { text: "And now?", revision: 2 }));
  assert.equal(
    blind.messages[0].content[0].text,
    "[Image.png is an image, and is left out: this model takes none.]\n",
  );
});

test("an image over the bound waits for a view to make it smaller", async (t) => {
  const { controller } = openChat(t, await serveChat(t));
  const view = await openView(controller);
  await view.say("attachFile", { name: "Large.png", bytes: picture(8000, 5000) });
  const [large] = view.state.attachments;
  assert.equal(large?.pending, "scaling");
  await view.say("scaled", { attachmentId: large?.id ?? "", bytes: picture(800, 500) });
  const [small] = view.state.attachments;
  assert.deepEqual([small?.pending, small?.detail], [undefined, "800 × 500, scaled down from 8000 × 5000"]);
  await view.say("attachFile", { name: "Odd.png", bytes: picture(8000, 5001) });
  await view.say("unreadable", { attachmentId: view.state.attachments[1]?.id ?? "" });
  assert.equal(view.state.attachmentNotice, "Odd.png is too large, and could not be made smaller.");
  assert.equal(view.state.attachments.length, 1);
});

test("a document goes as a file, or as the text that the service's parser made of it", async (t) => {
  const service = await serveChat(t);
  const pdf = readFileSync(join(documents, "harvest.pdf"));
  const view = await openViewWith(openChat(t, service).controller, "echo");
  await view.say("attachFile", { name: "harvest.pdf", bytes: pdf });
  const [whole] = view.state.attachments;
  assert.deepEqual([whole?.kind, whole?.way, whole?.tokens], ["document", "file", null]);
  const asFile = await sentBy(service, () => view.say("send", { text: "Sum it up", revision: 1 }));
  assert.deepEqual(asFile.messages[0].content[0], {
    type: "file",
    file: { file_data: `data:application/pdf;base64,${pdf.toString("base64")}`, filename: "harvest.pdf" },
  });
  await view.until(ended);
  await view.say("attachFile", { name: "harvest.pdf", bytes: pdf });
  await view.say("setWay", { attachmentId: view.state.attachments[0]?.id ?? "", way: "text" });
  const [read] = view.state.attachments;
  assert.equal(read?.way, "text");
  assert.ok((read?.tokens ?? 0) > 10);
  const asText = await sentBy(service, () => view.say("send", { text: "Sum it up", revision: 2 }));
  assert.match(asText.messages[2].content[0].text, /^harvest\.pdf:\n```\n/);
});

test("a document that the parser refuses stays as it is, with the reason", async (t) => {
  const view = await openView(openChat(t, await serveChat(t)).controller);
  await view.say("attachFile", { name: "scanned.pdf", bytes: readFileSync(join(documents, "scanned.pdf")) });
  await view.say("setWay", { attachmentId: view.state.attachments[0]?.id ?? "", way: "text" });
  assert.match(view.state.attachmentNotice ?? "", /did not accept the request/);
  assert.deepEqual([view.state.attachments[0]?.way, view.state.attachments[0]?.pending], ["file", undefined]);
});

test("a question that comes to nothing stands in the box again, with all that went along", async (t) => {
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

test("other words for a question take along what it had", async (t) => {
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

test("what does not fit the model is left out, oldest first, and said before", async (t) => {
  const service = await serveChat(t);
  const view = await openViewWith(openChat(t, service).controller, "echo");
  for (const [index, letter] of ["a", "b", "c"].entries()) {
    await view.say("send", { text: letter.repeat(36_000), revision: index + 1 });
    await view.until((state) => ended(state) && state.messages.length === 2 * index + 2);
  }
  const text = "d".repeat(30_000);
  await view.say("draft", { draft: { text, revision: 1e15 } });
  const { context } = await view.until((state) => state.context?.dropped === 4);
  assert.deepEqual([context?.dropped, context?.contextTokens, context?.over], [4, 32_768, null]);
  const body = await sentBy(service, () => view.say("send", { text, revision: 1e15 }));
  assert.deepEqual(
    body.messages.map(({ content }: { content: string }) => content.charAt(0)),
    ["c", "c", "d"],
  );
});

test("a question that is too large by itself is said to be", async (t) => {
  const view = await openViewWith(openChat(t, await serveChat(t)).controller, "echo");
  await view.say("draft", { draft: { text: "x".repeat(140_000), revision: 1e15 } });
  const { context } = await view.until((state) => (state.context?.tokens ?? 0) > 30_000);
  assert.equal(context?.over, "tokens");
});

test("completion shows what was asked for last", async (t) => {
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
