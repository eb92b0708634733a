// Documents of a question are read on this machine: free, with tokens, and with the password of a locked PDF.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { emptyEditor, openChat, openViewWith, serveChat } from "../../chat.ts";
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
