import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { marked } from "marked";
import { countTokens, firstTokens, tokensOf } from "../../../../../src/sandbox/chat/reply/tokens.ts";
import { startTestSandbox, type TestSandbox } from "../../../../serviceKit/testSandbox.ts";

describe("the long model", () => {
  let sandbox: TestSandbox;
  before(async () => {
    sandbox = await startTestSandbox({ limits: "none" });
  });
  after(() => sandbox.close());

  async function write(content: string): Promise<string> {
    const response = await fetch(`${sandbox.baseUrl}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${sandbox.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "long", messages: [{ role: "user", content }] }),
    });
    const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
    return choices[0]?.message.content ?? "";
  }

  test("writes about the requested length, the same each time", async () => {
    for (const [prompt, bytes] of [
      ["80 KB", 80_000],
      ["please 2_000 bytes", 2000],
      ["0.1 MB", 100_000],
    ] as const) {
      const text = await write(prompt);
      const size = Buffer.byteLength(text);
      assert.ok(size >= bytes && size < bytes + 1500, `${prompt}: ${size}`);
      assert.equal(await write(prompt), text);
    }
    const tokens = countTokens(await write("3000 tokens"));
    assert.ok(tokens >= 3000 && tokens < 3500, `${tokens} tokens`);
  });

  test("mixes every kind of block", async () => {
    const kinds = new Set(marked.lexer(await write("20 KB")).map(({ type }) => type));
    for (const kind of ["heading", "paragraph", "list", "table", "code", "blockquote"])
      assert.ok(kinds.has(kind), kind);
  });

  for (const kind of ["list", "table", "code"] as const) {
    test(`writes one giant ${kind}`, async () => {
      const blocks = marked.lexer(await write(`50 KB ${kind}`)).filter(({ type }) => type !== "space");
      assert.deepEqual(
        blocks.map(({ type }) => type),
        [kind],
      );
    });
  }
});

describe("tokens", () => {
  const text = "Grüße,  aus\n\n東京 — 👩‍👩‍👧 4711 \t x_{2}\u0000 end ";

  test("lose nothing, and never split a character", () => {
    const tokens = [...tokensOf(text)];
    assert.equal(tokens.join(""), text);
    assert.equal(tokens.length, countTokens(text));
    for (const token of tokens) assert.equal(Buffer.from(token).toString(), token);
  });

  test("are cut at a limit", () => {
    assert.deepEqual(firstTokens("one two three", 2), { text: "one two", whole: false });
    assert.deepEqual(firstTokens("one two", 2), { text: "one two", whole: true });
    assert.deepEqual(firstTokens("one two", 0), { text: "", whole: false });
  });
});
