import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  createFormReader,
  type FormMembers,
  maxFormFileBytes,
} from "../../../../../src/sandbox/http/request/form.ts";
import { Refusal } from "../../../../../src/sandbox/refusal.ts";

/** A form as browsers write it. */
async function written(form: FormData): Promise<{ type: string; bytes: Buffer }> {
  const response = new Response(form);
  return {
    type: response.headers.get("content-type") ?? "",
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

async function read(type: string, pieces: Iterable<Buffer>): Promise<FormMembers> {
  const reader = createFormReader(type);
  for (const piece of pieces) reader.write(piece);
  return reader.end();
}

function* every(bytes: Buffer, size: number): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function refusalOf(reading: Promise<unknown>): Promise<Refusal> {
  const thrown = await reading.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof Refusal, String(thrown));
  return thrown;
}

async function content(part: FormMembers[string] | undefined): Promise<Buffer> {
  assert.ok(part !== undefined && typeof part !== "string");
  const pieces: Uint8Array[] = [];
  for await (const piece of part.open()) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe("forms", () => {
  test("texts and files are read, however they are split", async () => {
    const form = new FormData();
    const bytes = Buffer.from("a\r\n--b\r\n\u0000 grüße");
    form.set("model", "käse\r\nmit --boundary");
    form.set("file", new Blob([bytes], { type: "text/plain" }), "a b.txt");
    const whole = await written(form);
    for (const size of [1, 7, whole.bytes.length]) {
      const members = await read(whole.type, every(whole.bytes, size));
      assert.equal(members.model, "käse\r\nmit --boundary");
      const { file } = members;
      assert.ok(typeof file === "object");
      assert.deepEqual([file.name, file.type, file.size], ["a b.txt", "text/plain", bytes.length]);
      assert.deepEqual(await content(file), bytes);
      assert.deepEqual(await content(file), bytes, "a second time");
    }
  });

  test("the head holds the first 256 KB", async () => {
    const form = new FormData();
    form.set("file", new Blob([Buffer.alloc(300_000, 7)]), "a");
    const { type, bytes } = await written(form);
    const { file } = await read(type, every(bytes, 10_000));
    assert.ok(typeof file === "object");
    assert.deepEqual([file.size, file.head.byteLength], [300_000, 262_144]);
    assert.ok(file.head.every((byte) => byte === 7));
  });

  test("a file of 25 MB is accepted, one byte more is a 413", async () => {
    const formOf = async (size: number) => {
      const form = new FormData();
      form.set("file", new Blob([Buffer.alloc(size)]), "a");
      return written(form);
    };
    const fits = await formOf(maxFormFileBytes);
    const { file } = await read(fits.type, every(fits.bytes, 65_536));
    assert.ok(typeof file === "object" && file.size === maxFormFileBytes);
    const over = await formOf(maxFormFileBytes + 1);
    assert.equal((await refusalOf(read(over.type, every(over.bytes, 65_536)))).status, 413);
  });

  test("a duplicate field is refused by its name", async () => {
    const form = new FormData();
    form.append("model", "a");
    form.append("model", "b");
    const { type, bytes } = await written(form);
    const { status, details } = await refusalOf(read(type, [bytes]));
    assert.deepEqual([status, details.issues?.[0]?.path], [400, ["model"]]);
  });

  test("a field may have the name of a member of Object", async () => {
    const form = new FormData();
    form.set("__proto__", "a");
    const { type, bytes } = await written(form);
    const members = await read(type, [bytes]);
    assert.deepEqual(Object.entries(members), [["__proto__", "a"]]);
    assert.equal(Object.getPrototypeOf(members), Object.prototype);
  });

  test("more parts than any form needs are refused", async () => {
    const form = new FormData();
    for (let count = 0; count < 65; count++) form.set(`a${count}`, "b");
    const { type, bytes } = await written(form);
    assert.equal((await refusalOf(read(type, [bytes]))).status, 413);
  });

  test("a truncated or invalid form is refused and never hangs", async () => {
    const form = new FormData();
    form.set("model", "a");
    form.set("file", new Blob(["some bytes"]), "a.txt");
    const { type, bytes } = await written(form);
    // After the last boundary come only two dashes and a line end.
    for (let end = 0; end < bytes.length - 4; end++) {
      assert.equal((await refusalOf(read(type, [bytes.subarray(0, end)]))).status, 400, `${end} bytes`);
    }
    assert.equal((await refusalOf(read(type, [Buffer.from("{}")]))).status, 400);
    assert.throws(() => createFormReader("multipart/form-data"), Refusal);
  });
});
