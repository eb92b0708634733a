// Bodies with a content encoding, asked for or not, in any division into chunks, and cut at any byte.
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import zlib from "node:zlib";
import fc from "fast-check";
import { decodedBody } from "../../../../src/api/transport/contentEncoding.ts";
import { completion } from "../../../loopback/answers.ts";
import { clientOf, failureOf, question, serve, transports } from "../client.ts";

const encoders: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  gzip: (bytes) => zlib.gzipSync(bytes),
  "x-gzip": (bytes) => zlib.gzipSync(bytes),
  deflate: (bytes) => zlib.deflateSync(bytes),
  "deflate without a header": (bytes) => zlib.deflateRawSync(bytes),
  br: (bytes) => zlib.brotliCompressSync(bytes),
  zstd: (bytes) => zlib.zstdCompressSync(bytes),
};
const headerOf = (name: string) => name.split(" ")[0] ?? "";

function inChunks(bytes: Uint8Array, size: number): Readable {
  const count = Math.ceil(bytes.length / size);
  return Readable.from(
    Array.from({ length: count }, (_, index) =>
      Buffer.from(bytes.subarray(index * size, (index + 1) * size)),
    ),
  );
}

async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}

test("layers come off in reverse order, whatever the chunks", async () => {
  const layers = fc.array(fc.constantFrom(...Object.keys(encoders).filter((name) => !name.includes(" "))), {
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(
      layers,
      fc.uint8Array({ maxLength: 4000 }),
      fc.integer({ min: 1, max: 700 }),
      async (names, bytes, size) => {
        const packed = names.reduce<Uint8Array>((inner, name) => encoders[name]?.(inner) ?? inner, bytes);
        const body = decodedBody(inChunks(packed, size), names.join(", "));
        assert.deepEqual(await bytesOf(body), Buffer.from(bytes));
      },
    ),
    { numRuns: 60 },
  );
});

test("an encoding that is not known is left to the reader", async () => {
  for (const header of ["aes128gcm", "gzip, gzip, gzip, gzip, gzip", "identity", null])
    assert.equal(
      (await bytesOf(decodedBody(inChunks(Buffer.from("as it is"), 3), header))).toString(),
      "as it is",
    );
});

for (const [name, encode] of Object.entries(encoders)) {
  test(`${name}: a body that is cut at any byte throws, and an empty one is empty`, async () => {
    const packed = encode(Buffer.from(JSON.stringify({ text: "some text ".repeat(9) })));
    for (let length = 1; length < packed.length - 1; length++)
      await assert.rejects(
        bytesOf(decodedBody(inChunks(packed.subarray(0, length), 9), headerOf(name))),
        `${length} of ${packed.length} bytes`,
      );
    assert.equal((await bytesOf(decodedBody(inChunks(Buffer.alloc(0), 9), headerOf(name)))).length, 0);
  });

  for (const { name: transport, create } of transports) {
    const isKnownToFetch = name !== "x-gzip";
    test(`${transport}: an answer in ${name} is read, though nobody asked for it`, async (t) => {
      assert.ok(isKnownToFetch || transport !== "");
      const server = await serve(t, (_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-encoding": headerOf(name) });
        response.end(encode(Buffer.from(JSON.stringify(completion("unpacked")))));
      });
      const { api } = clientOf(t, server.origin, { transport: create() });
      const reply = await api.chat.complete(question);
      assert.equal(reply.choices[0]?.message.content, "unpacked");
    });

    test(`${transport}: an answer in ${name} that is cut is a lost connection`, async (t) => {
      const server = await serve(t, (_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-encoding": headerOf(name) });
        const packed = encode(Buffer.from(JSON.stringify(completion("unpacked ".repeat(40)))));
        response.end(packed.subarray(0, packed.length - 12));
      });
      const { api } = clientOf(t, server.origin, { transport: create() });
      const error = await failureOf(api.chat.complete(question));
      assert.equal(error.details.reason, "reset", `${error.details.code} ${error.message}`);
      assert.equal(error.details.mayHaveArrived, true);
      assert.equal(server.received.length, 1);
    });
  }
}
