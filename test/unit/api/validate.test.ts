// Invalid input is refused before anything is sent: the error names field, rule and size, never the text.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatRequest } from "../../../src/api/endpoints/chat/chatRequest.ts";
import { completion, sendJson } from "../../loopback/answers.ts";
import { clientOf, failureOf, question, serve } from "./client.ts";

const refused: readonly [
  name: string,
  change: Partial<Record<keyof ChatRequest | "stream", unknown>>,
  field: string,
  size?: string,
][] = [
  ["no message", { messages: [] }, "messages", "has 0 items"],
  ["no model", { model: "" }, "model", "has 0 characters"],
  ["a temperature over 2", { temperature: 2.5 }, "temperature", "is 2.5"],
  ["a fifth stop sequence", { stop: ["a", "b", "c", "d", "e"] }, "stop"],
  ["seed of zero", { seed: 0 }, "seed", "is 0"],
  ["a fraction of a token", { max_completion_tokens: 1.5 }, "max_completion_tokens", "is 1.5"],
  ["unknown member", { topp: 1 } as object, ""],
  ["stream, which the call sets", { stream: true }, ""],
  ["an unknown role", { messages: [{ role: "robot", content: "x" }] }, "messages.0.role"],
  [
    "an image over http",
    {
      messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "http://x/y.png" } }] }],
    },
    "messages.0.content",
  ],
  ["an unknown service parameter", { service_parameters: { enable_magic: true } }, "service_parameters"],
];

for (const [name, change, field, size] of refused) {
  test(`${name} is refused without a request`, async (t) => {
    const server = await serve(t, (_, response) => response.end());
    const { api, events } = clientOf(t, server.origin);
    const request = { ...question, ...change } as ChatRequest;
    for (const call of [api.chat.complete, api.chat.stream]) {
      const error = await failureOf(call(request));
      assert.equal(error.kind, "invalid-request");
      const issue = error.details.issues?.[0];
      assert.ok(issue?.field.startsWith(field), issue?.field);
      assert.ok(error.message.startsWith(`${issue?.field || "request"}: `), error.message);
      if (size) assert.ok(error.message.includes(size), error.message);
      assert.equal(error.details.mayHaveArrived, false);
    }
    assert.equal(server.connections, 0);
    assert.equal(events.length, 0);
  });
}

test("the error does not repeat the user's text", async (t) => {
  const server = await serve(t, (_, response) => response.end());
  const { api } = clientOf(t, server.origin);
  const typed = "my private words";
  const request = {
    ...question,
    reasoning_effort: typed,
    prompt_cache_retention: typed,
  } as unknown as ChatRequest;
  const error = await failureOf(api.chat.complete(request));
  assert.equal(JSON.stringify([error.message, error.details]).includes(typed), false, error.message);
});

test("optional members that are null or undefined are omitted from the body (wire.md section 3)", async (t) => {
  const server = await serve(t, (_, response) => sendJson(response, 200, completion("ok")));
  const { api } = clientOf(t, server.origin);
  await api.chat.complete({ ...question, stop: null, tools: null, user: undefined });
  assert.deepEqual(JSON.parse(server.received[0]?.body ?? ""), question);
});

test("keeps a meaningful null: an assistant turn without text", async (t) => {
  const server = await serve(t, (_, response) => sendJson(response, 200, completion("ok")));
  const { api } = clientOf(t, server.origin);
  const calls = [{ id: "1", type: "function" as const, function: { name: "f", arguments: "" }, kept: 1 }];
  const turn = { role: "assistant" as const, content: null, tool_calls: calls, thought_signature: { a: 1 } };
  await api.chat.complete({ ...question, messages: [...question.messages, turn] });
  assert.deepEqual(JSON.parse(server.received[0]?.body ?? "").messages[1], turn);
});
