// The sandbox's model that takes pictures tells their facts, and says that it does not know what they show.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { apiRoot } from "../../../../../src/api/call/client.ts";
import { type DialectId, dialects } from "../../../../../src/api/dialect/dialect.ts";
import type { ChatRequest } from "../../../../../src/api/endpoints/chat/chatRequest.ts";
import { createUndiciTransport } from "../../../../../src/api/transport/undici.ts";
import { encodePng } from "../../../../../src/sandbox/images/codecs/png.ts";
import { startTestSandbox } from "../../../../serviceKit/testSandbox.ts";
import { clientOf, failureOf } from "../../../api/client.ts";
import { quarters } from "../../../images/host/cameraFiles.ts";

const png = encodePng(quarters(300, 200));
const dataUrl = (bytes: Uint8Array) => `data:image/png;base64,${Buffer.from(bytes).toString("base64")}`;
const picture = (url = dataUrl(png)) => ({ type: "image_url" as const, image_url: { url } });
const text = (words: string) => ({ type: "text" as const, text: words });
type Messages = ChatRequest["messages"];
const user = (...content: (ReturnType<typeof picture> | ReturnType<typeof text>)[]): Messages[number] => ({
  role: "user",
  content,
});

async function viewerOf(t: TestContext, dialect: DialectId = "standard") {
  const pages = [
    {
      path: "a.md",
      title: "Ferry",
      text: "# Ferry\n\n## Departure of the ferry\n\nThe ferry leaves at nine.\n",
    },
  ];
  const service = await startTestSandbox({ dialect, testModels: false, pages });
  t.after(() => service.close());
  const { api } = clientOf(t, service.baseUrl, {
    baseUrl: apiRoot(service.baseUrl),
    dialect: dialects[dialect],
    apiKey: async () => service.apiKey,
    transport: createUndiciTransport(),
  });
  const request = (messages: Messages, more: Partial<ChatRequest> = {}) =>
    api.chat.complete({ model: "viewer", messages, ...more }, { once: true });
  const answer = async (messages: Messages, more: Partial<ChatRequest> = {}) => {
    const { choices } = await request(messages, more);
    const { content, tool_calls } = choices[0]?.message ?? {};
    assert.equal(tool_calls?.length ?? 0, 0);
    return String(content);
  };
  return { api, request, answer };
}

const facts = /^This is a PNG picture of 300 × 200 pixels\. Its main colours are \w+ \(25 %\)/;

for (const dialect of ["standard", "venice"] as const)
  test(`an attached picture is told by its facts, and so is one that a call has read (${dialect})`, async (t) => {
    const { answer, request } = await viewerOf(t, dialect);
    const about = await answer([user(text("What is on this?"), picture())]);
    assert.match(about, facts);
    assert.match(about, /No part of it is transparent\./);
    assert.match(about, /does not know what it shows/);
    // The words before the picture of a result name the tool, which must not be called again.
    const call = { id: "c1", type: "function" as const, function: { name: "read_file", arguments: "{}" } };
    const parameters = { type: "object", properties: { path: { type: "string" } } };
    const tools = [{ type: "function" as const, function: { name: "read_file", parameters } }];
    const first = await request([user(text("Read the file a.png"))], { tools });
    assert.equal(first.choices[0]?.message.tool_calls?.[0]?.function?.name, "read_file");
    const after = await answer(
      [
        user(text("Read the file a.png")),
        { role: "assistant", content: "", tool_calls: [call] },
        { role: "tool", content: "a.png is a picture", tool_call_id: "c1" },
        user(text("Read the file a.png:"), picture()),
      ],
      { tools },
    );
    assert.match(after, facts);
  });

test("a caption is one sentence, several pictures are numbered, and a later question keeps them", async (t) => {
  const { answer } = await viewerOf(t);
  const caption = await answer([user(text("Describe it in one sentence."), picture())]);
  assert.match(caption, /^A PNG picture of 300 × 200 pixels, mostly \w+, \w+ and \w+\.$/);
  const two = await answer([user(text("Compare"), picture(), picture())]);
  assert.match(two, /### Picture 1\n\nThis is[\s\S]*### Picture 2\n\nThis is/);
  const turns: Messages = [user(text("Look"), picture()), { role: "assistant", content: "Yes." }];
  assert.match(await answer([...turns, user(text("Which colours has it?"))]), facts);
  assert.match(await answer([...turns, user(text("When is the departure of the ferry?"))]), /leaves at nine/);
});

test("a picture has tokens, by its size", async (t) => {
  const { request } = await viewerOf(t);
  const tokens = async (...parts: Parameters<typeof user>) =>
    (await request([user(...parts)])).usage?.prompt_tokens ?? 0;
  const difference = (await tokens(text("Look"), picture())) - (await tokens(text("Hello")));
  assert.equal(difference, Math.ceil((300 * 200) / 750));
});

test("a picture that can't be read is refused with the reason, wherever it stands, and costs nothing", async (t) => {
  const { api, answer, request } = await viewerOf(t, "venice");
  const before = await api.billing.balance({});
  const faults = [
    [dataUrl(png.slice(0, 60)), /damaged/],
    [dataUrl(Buffer.from("%PDF-1.7")), /must be a PNG, JPEG, WebP or GIF/],
    ["data:image/png;base64,****", /base64/],
    ["data:,hello", /base64/],
    ["https://127.0.0.1:1/a.png", /can't be fetched/],
  ] as const;
  for (const [url, words] of faults) {
    const error = await failureOf(request([user(text("Look")), user(text("Look"), picture(url))]));
    assert.equal(error.details.status, 400, url);
    assert.match(error.details.raw ?? "", words);
  }
  assert.deepEqual(await api.billing.balance({}), before);
  assert.match(await answer([user(picture())]), facts);
});
