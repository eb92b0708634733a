import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { decodeBase64 } from "../../../../../src/api/base64.ts";
import { createForm } from "../../../../../src/api/call/body/multipart.ts";
import {
  type FileBuffers,
  uploadFromBytes,
  uploadFromFile,
} from "../../../../../src/api/call/body/upload.ts";
import { fileUpTo25Mb, imageInput, pixelProblem } from "../../../../../src/api/endpoints/files.ts";
import { createHostTransport } from "../../../../../src/api/transport/host.ts";
import { createUndiciTransport } from "../../../../../src/api/transport/undici.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";

/** The first bytes of a PNG of this size: enough for its header to be read. */
function png(width: number, height: number): Uint8Array {
  const bytes = Buffer.alloc(33);
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").copy(bytes);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}
const problemOf = (value: unknown) => imageInput.safeParse(value).error?.issues[0]?.message;

test("the length of a form is known before it is read, and its parts are written as browsers do", async () => {
  const file = uploadFromBytes('a"b\r\n.txt', "text/plain", Buffer.from("grüße"));
  const { type, body } = createForm({ response_format: "json", file });
  assert.ok(typeof body !== "string");
  const pieces: Uint8Array[] = [];
  for await (const piece of body.open()) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  assert.equal(bytes.byteLength, body.length);
  const form = await new Response(bytes, { headers: { "content-type": type } }).formData();
  assert.equal(form.get("response_format"), "json");
  const sent = form.get("file");
  assert.ok(sent instanceof File);
  assert.deepEqual([await sent.text(), sent.type], ["grüße", "text/plain"]);
  assert.match(bytes.toString(), /filename="a%22b%0D%0A\.txt"/);
});

test("a file is sent byte for byte, however slowly it is read", async () => {
  const folder = temporaryFolder();
  const server = createServer(async (request, response) => {
    const hash = createHash("sha256");
    for await (const piece of request) {
      hash.update(piece);
      await setImmediate();
    }
    response.end(hash.digest("hex"));
  });
  try {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const content = randomBytes(5_000_000);
    writeFileSync(join(folder, "a.bin"), content);
    const file = await uploadFromFile(join(folder, "a.bin"), "");
    assert.deepEqual([file.name, file.size], ["a.bin", content.length]);
    for (const transport of [createHostTransport(), createUndiciTransport()]) {
      const body = { length: file.size, open: () => file.open() };
      const { signal } = new AbortController();
      const reply = await transport.send({ method: "POST", url, headers: {}, body, signal });
      let text = "";
      for await (const piece of reply.body) text += Buffer.from(piece).toString();
      assert.equal(text, createHash("sha256").update(content).digest("hex"), transport.name);
      await transport.close();
    }
  } finally {
    server.close();
  }
});

test("files that share buffers are each sent byte for byte, three at a time", async () => {
  const folder = temporaryFolder();
  const server = createServer(async (request, response) => {
    const hash = createHash("sha256");
    for await (const piece of request) hash.update(piece);
    response.end(hash.digest("hex"));
  });
  try {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const transport = createUndiciTransport();
    const buffers: FileBuffers = [];
    const contents = Array.from({ length: 12 }, (_, index) => randomBytes(300_000 + 100_000 * index));
    const send = async (index: number) => {
      const content = contents[index] ?? Buffer.alloc(0);
      const path = join(folder, String(index));
      writeFileSync(path, content);
      const file = await uploadFromFile(path, "", buffers);
      const { signal } = new AbortController();
      const end = Promise.withResolvers<void>();
      const body = {
        length: file.size,
        async *open() {
          yield* file.open();
          end.resolve();
        },
      };
      const reply = await transport.send({ method: "POST", url, headers: {}, body, signal });
      let text = "";
      for await (const piece of reply.body) text += Buffer.from(piece).toString();
      assert.equal(text, createHash("sha256").update(content).digest("hex"));
      // The server can answer before the end of the file is read.
      await end.promise;
      file.release();
    };
    const lane = async (first: number) => {
      for (let index = first; index < contents.length; index += 3) await send(index);
    };
    await Promise.all([0, 1, 2].map(lane));
    assert.ok(buffers.length >= 1 && buffers.length <= 3, `${buffers.length} rings for three lanes`);
    await transport.close();
  } finally {
    server.close();
  }
});

test("a file that is answered before its end was read returns its buffers at the end", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "a"), randomBytes(200_000));
  const buffers: FileBuffers = [];
  const file = await uploadFromFile(join(folder, "a"), "", buffers);
  let left = file.size;
  for await (const piece of file.open()) {
    left -= piece.byteLength;
    if (left === 0) file.release();
    assert.equal(buffers.length, 0);
  }
  assert.equal(buffers.length, 1);
});

test("a file that is read only partly, or not answered, does not return its buffers", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "a"), randomBytes(200_000));
  const buffers: FileBuffers = [];
  const file = await uploadFromFile(join(folder, "a"), "", buffers);
  for await (const _ of file.open()) break;
  file.release();
  assert.equal(buffers.length, 0);
  for await (const _ of file.open());
  assert.equal(buffers.length, 0);
  file.release();
  file.release();
  assert.equal(buffers.length, 1);
});

test("an image is measured by its own header, as a file, base64 and data URL", () => {
  const good = png(256, 256);
  for (const image of [
    uploadFromBytes("a.png", "image/png", good),
    Buffer.from(good).toString("base64"),
    `data:image/png;base64,${Buffer.from(good).toString("base64")}`,
    "https://example.com/a.png",
  ]) {
    assert.equal(problemOf(image), undefined);
  }
  assert.match(
    problemOf(uploadFromBytes("a.png", "", png(255, 256))) ?? "",
    /at least 65536 pixels; this one has 255 × 256/,
  );
  assert.match(problemOf(uploadFromBytes("a.png", "", png(5760, 5761))) ?? "", /at most 33177600 pixels/);
  assert.match(
    problemOf(uploadFromBytes("a.txt", "", Buffer.from("hello"))) ?? "",
    /can.t be read as an image/,
  );
  assert.match(problemOf("not base64!") ?? "", /must be base64 text/);
});

test("the limits of an image are those of the spec", () => {
  assert.equal(pixelProblem(256, 256), undefined);
  assert.equal(pixelProblem(7680, 4320), undefined);
  assert.notEqual(pixelProblem(7681, 4320), undefined);
});

test("a file has at most 25 MB and is not empty", () => {
  const sized = (size: number) =>
    fileUpTo25Mb.safeParse({ ...uploadFromBytes("a", "", Buffer.from("x")), size });
  assert.equal(sized(25 * 1024 * 1024).success, true);
  assert.match(
    sized(25 * 1024 * 1024 + 1).error?.issues[0]?.message ?? "",
    /at most 25 MB; this one has 25\.0 MB/,
  );
  assert.equal(sized(0).success, false);
});

test("base64 is distinguished from other text", () => {
  assert.deepEqual(decodeBase64("aGk="), Buffer.from("hi"));
  assert.equal(decodeBase64("hello world"), undefined);
  assert.equal(decodeBase64("abc"), undefined);
});
