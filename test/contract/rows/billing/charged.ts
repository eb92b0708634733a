import assert from "node:assert/strict";
import type { ChatRequest } from "../../../../src/api/endpoints/chat/chatRequest.ts";
import type { SandboxTarget } from "../../suite/target.ts";
import { send } from "../../suite/wire.ts";

export const question = {
  model: "echo",
  messages: [{ role: "user", content: "one two" }],
} satisfies ChatRequest;

/** Adds a record to the bill, so that replies contain a row. */
export async function charged(target: SandboxTarget): Promise<Record<string, unknown>> {
  const { status } = await send(target, { path: "/chat/completions", body: question });
  assert.equal(status, 200);
  return {};
}
