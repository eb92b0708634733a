import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { uploadFromBytes } from "../../../../src/api/call/body/upload.ts";
import { BadText, createLongText } from "../../../../src/api/stream/longText.ts";
import { sendJson, sendText } from "../../../loopback/answers.ts";
import { clientOf, failureOf, serve } from "../client.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Reads a JSON text that arrives in pieces cut at these offsets. */
async function readInPieces(json: Uint8Array, cuts: readonly number[] = []) {
  const pieces: Uint8Array[] = [];
  const long = createLongText("text", (piece) => void pieces.push(piece.slice()));
  const ends = [...cuts.map((cut) => cut % (json.length + 1)), json.length].sort((a, b) => a - b);
  let from = 0;
  for (const end of ends) {
    await long.push(json.subarray(from, end));
    from = end;
  }
  return { text: Buffer.concat(pieces).toString(), rest: long.rest() };
}

const cuts = fc.array(fc.nat(), { maxLength: 12 });

test("reads a text like JSON.parse, with any cuts and escapes", async () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.constant('\r\n"\\/\u2028'),
  );
  const other = fc.jsonValue({ maxDepth: 2 });
  const reply = fc.record({
    before: other,
    a: fc.record({ text: other }),
    text,
    tokens: fc.nat(),
    after: other,
  });
  await fc.assert(
    fc.asyncProperty(reply, cuts, fc.boolean(), async (value, at, isEscaped) => {
      const plain = JSON.stringify(value);
      const json = isEscaped
        ? plain.replace(
            /[\u0080-\uffff]/g,
            (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
          )
        : plain;
      const read = await readInPieces(bytesOf(json), at);
      assert.equal(read.text, value.text.toWellFormed());
      assert.deepEqual(JSON.parse(read.rest), JSON.parse(JSON.stringify({ ...value, text: "" })));
    }),
  );
});

test("keeps replies without such a text: another value, no object, no JSON", async () => {
  for (const json of ['{"text":7}', '{"a":{"text":"x"}}', '["text","x"]', '<html>"text":"', '"text"', ""]) {
    assert.deepEqual(await readInPieces(bytesOf(json), [3, 5]), { text: "", rest: json }, json);
  }
});

test("reads a text longer than any piece, and one of escapes only", async () => {
  const long = "é😀\n".repeat(60_000);
  assert.equal((await readInPieces(bytesOf(JSON.stringify({ text: long })))).text, long);
  const bare = "\u0001".repeat(50_000);
  assert.equal((await readInPieces(bytesOf(JSON.stringify({ text: bare })))).text, bare);
});

test("replaces a lone surrogate", async () => {
  const json = '{"text":"a\\ud83d\\ude00b\\ud83dc\\ude00\\ud83d\\n\\ud83d"}';
  const expected = (JSON.parse(json) as { text: string }).text.toWellFormed();
  for (let cut = 0; cut < json.length; cut++)
    assert.equal((await readInPieces(bytesOf(json), [cut])).text, expected);
});

test("refuses invalid JSON", async () => {
  for (const json of ['{"text":"a\nb"}', '{"text":"\\x"}', '{"text":"\\u12g4"}'])
    await assert.rejects(readInPieces(bytesOf(json)), BadText, json);
});

test("a failed write ends the call without a resend, because it was billed", async (t) => {
  const server = await serve(t, ({ body }, response) => {
    if (String(body).includes("\r\n\r\ntext\r\n")) sendText(response, 200, "text/plain", "The orchard");
    else sendJson(response, 200, { text: "The orchard", tokens: 7 });
  });
  const { api } = clientOf(t, server.origin);
  const file = uploadFromBytes("a.txt", "text/plain", bytesOf("x"));
  const calls = { json: api.augment.parse, text: api.augment.parseText };
  // Besides a full disk, a network drive has other errors, with the codes of an unreachable service.
  for (const code of ["EHOSTDOWN", "ECONNREFUSED", "ENOTFOUND", "ENOSPC"])
    for (const call of Object.values(calls)) {
      const before = server.received.length;
      const onText = () => Promise.reject(Object.assign(new Error(`${code}: proxy/a.text`), { code }));
      const { kind, details, message } = await failureOf(call({ file }, { onText }));
      assert.deepEqual([kind, details.reason, details.mayHaveArrived], ["network", "other", true]);
      assert.equal(message, `the answer arrived, but could not be saved: ${code}: proxy/a.text`);
      assert.equal(server.received.length - before, 1, code);
    }
});

test("the client emits a document's text in pieces; a truncated or damaged answer fails", async (t) => {
  const words = "The orchard gave 1,250 kg.\r\n".repeat(20_000);
  const server = await serve(t, ({ body }, response) => {
    const name = /filename="(\w+)/.exec(String(body))?.[1];
    if (name === "good") return sendJson(response, 200, { text: words, tokens: 7 });
    if (name === "none") return sendJson(response, 200, { tokens: 7 });
    response.setHeader("content-type", "application/json");
    response.end(name === "cut" ? '{"text":"The orch' : '{"text":"a\tb","tokens":7}');
  });
  const { api } = clientOf(t, server.origin);
  const read = async (name: string) => {
    let text = "";
    const onText = async (piece: Uint8Array) => {
      text += Buffer.from(piece).toString();
    };
    const file = uploadFromBytes(`${name}.txt`, "text/plain", bytesOf("x"));
    const reply = await api.augment.parse({ file }, { onText });
    return { ...reply, text, left: reply.text };
  };
  assert.deepEqual(await read("good"), { text: words, left: "", tokens: 7 });
  assert.equal((await failureOf(read("cut"))).details.reason, "reset");
  for (const name of ["none", "damaged"])
    assert.equal((await failureOf(read(name))).kind, "malformed-response", name);
});
