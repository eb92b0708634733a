// Documents of a question are read on this machine: free, with tokens, and with the password of a locked PDF.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { strToU8, zipSync } from "fflate";
import { startModelServer } from "../../../sandbox/modelServer.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { emptyEditor, ended, openChat, openViewWith, serveChat } from "../../chat.ts";
import { sentBy } from "./attaching.ts";

const documents = join(import.meta.dirname, "../../../fixtures/documents");
const bytesOf = (name: string) => readFileSync(join(documents, name));

test("a document has its tokens when it is attached, and becomes text without a charge", async (t) => {
  const service = await serveChat(t);
  const editor = { ...emptyEditor, readsDocumentsHere: () => true };
  const view = await openViewWith(openChat(t, service, { editor }).controller, "echo");
  await view.say("attachFile", { name: "harvest.pdf", bytes: bytesOf("harvest.pdf") });
  const [attached] = view.state.attachments;
  assert.equal(attached?.way, "file");
  assert.ok((attached?.tokens ?? 0) > 20, String(attached?.tokens));
  await view.say("setWay", { attachmentId: attached?.id ?? "", way: "text" });
  assert.equal(view.state.attachments[0]?.way, "text");
  const body = await sentBy(service, () => view.say("send", { text: "What?", revision: 1 }));
  assert.match(body.messages[0].content[0].text, /Harvest report/);
  assert.equal(service.sandbox.requests.filter(({ path }) => path.endsWith("/text-parser")).length, 0);
});

test("a locked PDF asks for its password, again after a wrong one, and is refused by name without", async (t) => {
  const service = await serveChat(t);
  const asked: boolean[] = [];
  const answers = ["wrong", undefined];
  const editor = {
    ...emptyEditor,
    readsDocumentsHere: () => true,
    askPassword: async (_: string, isWrong: boolean) => {
      asked.push(isWrong);
      return answers.shift();
    },
  };
  const view = await openViewWith(openChat(t, service, { editor }).controller, "echo");
  await view.say("attachFile", { name: "locked.pdf", bytes: bytesOf("locked.pdf") });
  assert.deepEqual(asked, [false, true]);
  assert.deepEqual(view.state.attachments, []);
  assert.match(
    view.state.attachmentNotice ?? "",
    /^locked\.pdf is locked with a password\. .* It was not attached\.$/,
  );
});

test("the right password opens a PDF, after a wrong one, and is kept nowhere", async (t) => {
  const service = await serveChat(t);
  const password = "secret";
  const answers = ["wrong-one", password];
  const editor = {
    ...emptyEditor,
    readsDocumentsHere: () => true,
    askPassword: async () => answers.shift(),
  };
  const folder = temporaryFolder();
  const view = await openViewWith(openChat(t, service, { editor, folder }).controller, "echo");
  await view.say("attachFile", {
    name: "password-secret.pdf",
    bytes: bytesOf("password-secret.pdf"),
  });
  assert.deepEqual(answers, []);
  await view.say("setWay", { attachmentId: view.state.attachments[0]?.id ?? "", way: "text" });
  const body = await sentBy(service, () => view.say("send", { text: "What?", revision: 1 }));
  assert.match(body.messages[0].content[0].text, /locked text/);
  const { tokens, way } = view.state.attachments[0] ?? {};
  assert.deepEqual([tokens, way], [undefined, undefined]);
  const stored = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  for (const text of [JSON.stringify(view.state).replaceAll("password-secret", ""), ...stored])
    assert.doesNotMatch(text.replaceAll("password-secret", ""), /wrong-one|secret/);
});

test("a locked PDF that the service refuses asks for its password, and is read on this machine", async (t) => {
  const service = await serveChat(t);
  const editor = { ...emptyEditor, askPassword: async () => "secret" };
  const view = await openViewWith(openChat(t, service, { editor }).controller, "echo");
  await view.say("attachFile", { name: "p.pdf", bytes: bytesOf("password-secret.pdf") });
  const message = "The PDF is locked with a password";
  const match = { path: "/chat/completions" };
  service.sandbox.setFaults([{ kind: "status", status: 400, message, match, times: 1 }]);
  await view.say("send", { text: "What?", revision: 1 });
  const { problem } = await view.until((state) => state.problem !== null && !state.busy);
  assert.match(problem?.explanation.sentence ?? "", /^p\.pdf is locked with a password/);
  assert.deepEqual(problem?.explanation.actions[0], { id: "sendAsText", label: "Enter Password…" });
  const body = await sentBy(service, () => view.say("sendAsText", {}));
  assert.match(body.messages[0].content[0].text, /locked text/);
});

test("a document that was attached for another model is text for one on this machine", async (t) => {
  const server = await startModelServer();
  t.after(() => server.close());
  const service = await serveChat(t, { modelServers: [server.url] });
  const chat = openChat(t, service, { editor: { ...emptyEditor, readsDocumentsHere: () => true } });
  chat.switchTo({ id: "c1", name: "Sandbox", kind: "sandbox" });
  const view = await openViewWith(chat.controller, "echo");
  await view.say("attachFile", { name: "harvest.pdf", bytes: bytesOf("harvest.pdf") });
  assert.equal(view.state.attachments[0]?.way, "file");
  await view.say("pickModel", { modelId: `${server.slug}/llama3.2` });
  await view.say("send", { text: "How many apples?", revision: 1 });
  await view.until(ended);
  assert.match(JSON.stringify(server.chats), /1,250 kg of apples/);
});

test("an archive with the name of a document is refused, sent nowhere and not charged", async (t) => {
  const service = await serveChat(t);
  for (const isHere of [true, false]) {
    const editor = { ...emptyEditor, readsDocumentsHere: () => isHere };
    const view = await openViewWith(openChat(t, service, { editor }).controller, "echo");
    const bytes = zipSync({ "notes.txt": strToU8("not a document") });
    await view.say("attachFile", { name: "fake.docx", bytes });
    assert.deepEqual(view.state.attachments, []);
    assert.match(view.state.attachmentNotice ?? "", /^fake\.docx is an archive\. .* It was not attached\.$/);
  }
  assert.equal(service.sandbox.requests.filter(({ path }) => path.endsWith("/text-parser")).length, 0);
});

test("scanned pages stay a file, because a model or the service may read them", async (t) => {
  const service = await serveChat(t);
  const editor = { ...emptyEditor, readsDocumentsHere: () => true };
  const view = await openViewWith(openChat(t, service, { editor }).controller, "echo");
  await view.say("attachFile", { name: "scanned.pdf", bytes: bytesOf("scanned.pdf") });
  assert.deepEqual(
    view.state.attachments.map(({ name, way, textBlob }) => [name, way, textBlob]),
    [["scanned.pdf", "file", undefined]],
  );
});
