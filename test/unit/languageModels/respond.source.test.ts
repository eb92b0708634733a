import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatRequest } from "../../../src/api/endpoints/chat/chatRequest.ts";
import { completion, sendJson } from "../../loopback/answers.ts";
import { clientOf, serve } from "../api/client.ts";

const request: ChatRequest = { model: "guide", messages: [{ role: "user", content: "Hi" }] };
const source = { kind: "nativeChat", client: "publisher.name" } as const;

test("the charge of a call carries its source, whether it is answered or may be billed; others carry none", async (t) => {
  let status = 200;
  const server = await serve(t, (_, response) => sendJson(response, status, completion("Hello")));
  const { api, events } = clientOf(t, server.origin, { admit: async () => "hold-1" });
  await api.chat.complete(request, { source });
  await api.chat.complete(request);
  status = 500;
  await assert.rejects(api.chat.complete(request, { source, once: true }));
  const charges = events.filter(({ type }) => type === "charged" || type === "uncharged");
  assert.deepEqual(
    charges.map((event) => [event.type, "source" in event ? event.source : undefined]),
    [
      ["charged", source],
      ["charged", undefined],
      ["uncharged", source],
    ],
  );
});
