import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { encode } from "fast-png";
import { attachedParts } from "../../../../../src/chat/host/attachments/attachedParts.ts";
import { imageOrientation } from "../../../../../src/shared/images/imageOrientation.ts";
import { cmykJpeg, exifSegment, jpegWith, quarters, tiff } from "../../../images/host/cameraFiles.ts";
import { turnedAvif } from "../../../images/host/modernFiles.ts";
import { startModelServer } from "../../../sandbox/modelServer.ts";
import { ended, listing, openChat, openView, openViewWith, serveChat } from "../../chat.ts";
import { sentBy } from "./attaching.ts";

const documents = join(import.meta.dirname, "../../../fixtures/documents");

function picture(width: number, height: number) {
  return new Uint8Array(encode({ width, height, data: new Uint8Array(width * height), channels: 1 }));
}

test("an image is sent as a data URL to a model with vision; another model gets a note", async (t) => {
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
    "[Image.png was omitted: this model does not accept images.]\n",
  );
});

test("a question with more pictures than a model takes is not sent, and a sentence names the limit", async (t) => {
  const service = await serveChat(t);
  const seeing = (more: object) => ({ capabilities: { supportsVision: true, ...more } });
  const api = await listing(openChat(t, service), [
    { id: "few", model_spec: { name: "Few", ...seeing({ maxImages: 2 }) } },
    { id: "echo", model_spec: seeing({}) },
    { id: "guide", model_spec: { capabilities: { maxImages: 1 } } },
  ]);
  const { controller } = openChat(t, service, { api });
  const view = await openViewWith(controller, "echo");
  await view.say("compare", { modelIds: ["few"] });
  for (const width of [10, 20, 30])
    await view.say("attachFile", { name: `${width}.png`, bytes: picture(width, 10) });
  await view.say("send", { text: "Which?", revision: 1 });
  const refusal =
    "Attachments: Few takes at most 2 pictures, and the question has 3. Remove 1, or choose another model.";
  assert.equal(view.state.attachmentNotice, refusal);
  assert.deepEqual([view.state.messages.length, view.state.attachments.length], [0, 3], "nothing is lost");
  // A model without a stated limit, and one that gets no pictures.
  await view.say("compare", { modelIds: [] });
  for (const [revision, modelId] of [
    [2, "echo"],
    [3, "guide"],
  ] as const) {
    await view.say("pickModel", { modelId });
    await view.say("send", { text: "Which?", revision });
    await view.until((state) => ended(state) && state.messages.length === 2 * (revision - 1));
  }
  const [question, answer] = view.state.messages;
  await view.say("pickModel", { modelId: "few" });
  await view.say("edit", { questionId: question?.id ?? "", text: "Which one?" });
  assert.equal(view.state.attachmentNotice, refusal);
  await view.say("dismissAttachmentNotice", {});
  await view.say("retry", { answerId: answer?.id ?? "" });
  assert.equal(view.state.attachmentNotice, refusal);
  assert.equal(view.state.messages.length, 4);
});

test("an image over the limit waits for a view to scale it down", async (t) => {
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
  assert.equal(
    view.state.attachmentNotice,
    "Odd.png was not attached: it is too large and could not be scaled down.",
  );
  assert.equal(view.state.attachments.length, 1);
});

test("a photo that a phone turned has its upright size, and waits for a view to draw it so", async (t) => {
  const { controller } = openChat(t, await serveChat(t));
  const view = await openView(controller);
  const photo = await jpegWith(quarters(400, 300), exifSegment(tiff(6)));
  await view.say("attachFile", { name: "photo.jpg", bytes: new Uint8Array(photo) });
  const [turned] = view.state.attachments;
  assert.deepEqual(
    [turned?.pending, turned?.detail, turned?.width, turned?.height],
    ["scaling", "300 × 400", 300, 400],
  );
  const upright = await jpegWith(quarters(300, 400));
  await view.say("scaled", { attachmentId: turned?.id ?? "", bytes: new Uint8Array(upright) });
  assert.deepEqual(
    view.state.attachments.map(({ pending, detail }) => [pending, detail]),
    [[undefined, "300 × 400"]],
  );
  const print = cmykJpeg(64, 64, 0xc1, 12);
  await view.say("attachFile", { name: "print.jpg", bytes: new Uint8Array(print) });
  await view.say("unreadable", { attachmentId: view.state.attachments[1]?.id ?? "" });
  assert.match(
    view.state.attachmentNotice ?? "",
    /^print\.jpg was not attached: it is a rare kind of JPEG that can't be drawn here\. Save it as /,
  );
});

test("a photo is stored and sent without the place and the device that its file names", async (t) => {
  const service = await serveChat(t);
  const view = await openViewWith(openChat(t, service).controller, "echo");
  const exif = Buffer.concat([tiff(1), Buffer.from("Apple iPhone GPS 48.8583N")]);
  const photo = await jpegWith(quarters(400, 300), exifSegment(exif));
  await view.say("attachFile", { name: "photo.jpg", bytes: new Uint8Array(photo) });
  const [attached] = view.state.attachments;
  assert.deepEqual([attached?.pending, attached?.detail], [undefined, "400 × 300"]);
  assert.ok((attached?.bytes ?? 0) < photo.length - exif.length);
  const body = await sentBy(service, () => view.say("send", { text: "Where is it?", revision: 1 }));
  const { url } = body.messages[0].content[0].image_url;
  const received = Buffer.from(url.slice(url.indexOf(",") + 1), "base64").toString("latin1");
  assert.match(received, /^\xff\xd8/);
  assert.doesNotMatch(received, /iPhone|GPS|Exif/);
});

test("pictures that were stored as their files were are sent without their metadata, too", async () => {
  const exif = Buffer.concat([tiff(6), Buffer.from("Apple iPhone GPS 48.8583N")]);
  const photo = await jpegWith(quarters(40, 30), exifSegment(exif));
  const picture = { blob: "a.jpg", mediaType: "image/jpeg", tokens: 1 };
  const path = [
    { id: "q", role: "user", attachments: [{ ...picture, id: "1", kind: "image", name: "a.jpg", bytes: 1 }] },
    { id: "a", role: "assistant", calls: [{ says: "Read a.jpg", pictures: [picture] }] },
  ] as unknown as Parameters<typeof attachedParts>[0];
  const parts = await attachedParts(path, { read: async () => new Uint8Array(photo) }, { images: true });
  const urls = [...parts.values()]
    .flat()
    .flatMap((part) => (part.type === "image_url" ? [part.image_url.url] : []));
  assert.equal(urls.length, 2);
  for (const url of urls) {
    const received = Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
    assert.doesNotMatch(received.toString("latin1"), /iPhone|GPS/);
    assert.deepEqual(imageOrientation(received), { drawn: 6, stated: 6 });
  }
});

test("formats that services don't take are drawn anew by a view, or refused by name with what to do", async (t) => {
  const view = await openView(openChat(t, await serveChat(t)).controller);
  await view.say("attachFile", { name: "photo.avif", bytes: new Uint8Array(turnedAvif(0, undefined)) });
  const [avif] = view.state.attachments;
  assert.deepEqual([avif?.kind, avif?.pending, avif?.detail], ["image", "scaling", "AVIF"]);
  await view.say("scaled", { attachmentId: avif?.id ?? "", bytes: picture(48, 32) });
  assert.deepEqual(
    view.state.attachments.map(({ pending, detail, mediaType }) => [pending, detail, mediaType]),
    [[undefined, "48 × 32", "image/png"]],
  );
  const heic = Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1");
  await view.say("attachFile", { name: "IMG_1.HEIC", bytes: new Uint8Array(heic) });
  assert.match(
    view.state.attachmentNotice ?? "",
    /^IMG_1\.HEIC can't be attached\. Its content is HEIC\. .*Export the photo as JPEG/,
  );
  await view.say("attachFile", {
    name: "scan.tif",
    bytes: new Uint8Array(Buffer.from("II*\0\x08\0\0\0", "latin1")),
  });
  assert.match(
    view.state.attachmentNotice ?? "",
    /^scan\.tif can't be attached\. Its content is TIFF\. .*export it as PNG or JPEG/,
  );
  const bmp = Buffer.from("BM\x46\0\0\0\0\0\0\0\x36\0\0\0", "latin1");
  await view.say("attachFile", { name: "old.bmp", bytes: new Uint8Array(bmp) });
  await view.say("unreadable", { attachmentId: view.state.attachments[1]?.id ?? "" });
  assert.equal(
    view.state.attachmentNotice,
    "old.bmp was not attached: it can't be drawn here; it may be damaged. Save it as JPEG or PNG.",
  );
});

test("a document is sent as a file, or as the text from the service's parser", async (t) => {
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

test("a document that the parser refuses stays attached, with the reason", async (t) => {
  const view = await openView(openChat(t, await serveChat(t)).controller);
  await view.say("attachFile", { name: "scanned.pdf", bytes: readFileSync(join(documents, "scanned.pdf")) });
  await view.say("setWay", { attachmentId: view.state.attachments[0]?.id ?? "", way: "text" });
  assert.equal(
    view.state.attachmentNotice,
    "There is no text in scanned.pdf. Scanned pages are pictures, and their text can't be read.",
  );
  assert.deepEqual([view.state.attachments[0]?.way, view.state.attachments[0]?.pending], ["file", undefined]);
});

test("a service that refuses a file says that text helps, with its price, and a button sends it so", async (t) => {
  const service = await serveChat(t);
  const pdf = readFileSync(join(documents, "harvest.pdf"));
  const view = await openViewWith(openChat(t, service).controller, "echo");
  await view.say("attachFile", { name: "harvest.pdf", bytes: pdf });
  const match = { path: "/chat/completions" };
  const refusals = [
    [400, "Invalid content type. image_url is only supported by certain models."],
    [
      422,
      "messages.0.content.0: Input tag 'file' found using 'type' does not match any of the expected tags",
    ],
    [400, "unsupported content[].type"],
  ] as const;
  for (const [status, message] of refusals) {
    service.sandbox.setFaults([{ kind: "status", status, shape: "nested", message, match }]);
    const { draft } = view.state;
    await view.say("send", { text: "Sum it up", revision: draft.revision + 1 });
    const { problem } = await view.until((state) => state.problem !== null && !state.busy);
    assert.match(
      problem?.explanation.sentence ?? "",
      /did not accept harvest\.pdf as a file for this model\. Send it as text/,
      message,
    );
    assert.deepEqual(problem?.explanation.actions[0]?.id, "sendAsText");
    assert.match(problem?.explanation.actions[0]?.label ?? "", /^Send as Text · \$0\.01/);
  }
  service.sandbox.setFaults([
    { kind: "status", status: 400, message: "max_tokens is too large", match, times: 1 },
  ]);
  await view.say("send", { text: "Sum it up", revision: view.state.draft.revision + 1 });
  const other = await view.until((state) => state.problem !== null && !state.busy);
  assert.equal(other.problem?.explanation.actions[0]?.id, "retry", "a refusal about something else");
  const sent = await sentBy(service, () => view.say("sendAsText", {}));
  assert.match(sent.messages[0].content[0].text, /^harvest\.pdf:\n```\n/);
});

test("a document for a model on this machine is read as text when it is attached; a locked one is refused by name", async (t) => {
  const server = await startModelServer();
  t.after(() => server.close());
  const service = await serveChat(t, { modelServers: [server.url] });
  const chat = openChat(t, service);
  chat.switchTo({ id: "c1", name: "Sandbox", kind: "sandbox" });
  const view = await openViewWith(chat.controller, `${server.slug}/llama3.2`);
  const pdf = readFileSync(join(documents, "harvest.pdf"));
  await view.say("attachFile", { name: "harvest.pdf", bytes: pdf });
  const [read] = view.state.attachments;
  assert.deepEqual([read?.way, read?.pending], ["text", undefined]);
  assert.ok((read?.tokens ?? 0) > 10);
  await view.say("attachFile", { name: "locked.pdf", bytes: readFileSync(join(documents, "locked.pdf")) });
  assert.equal(
    view.state.attachmentNotice,
    "locked.pdf is locked with a password. Parse it on this machine, which asks for the password, or save a copy without one. It was not attached.",
  );
  assert.equal(view.state.attachments.length, 1);
  await view.say("send", { text: "How many apples?", revision: 1 });
  await view.until(ended);
  assert.match(JSON.stringify(server.chats), /1,250 kg of apples/);
});
