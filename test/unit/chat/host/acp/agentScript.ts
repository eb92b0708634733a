// What the fake agent does, in words.
import type { FakeStep } from "../../../agents/agentKit.ts";

export const begins = (id: string, more: object): FakeStep => ({
  update: { sessionUpdate: "tool_call", toolCallId: id, status: "pending", ...more },
});

export const changes = (id: string, more: object): FakeStep => ({
  update: { sessionUpdate: "tool_call_update", toolCallId: id, ...more },
});

export const content = (said: string) => [{ type: "content", content: { type: "text", text: said } }];

export const option = (kind: string, name = kind, optionId = `id of ${kind}`) => ({ optionId, kind, name });

/** Asks about a step. The agent says what it gets for an answer. */
export const asks = (id: string, title: string, ...options: readonly object[]): FakeStep => ({
  ask: {
    method: "session/request_permission",
    params: { toolCall: { toolCallId: id, title, kind: "execute" }, options },
  },
});

export const reads = (path: string, more: object = {}): FakeStep => ({
  ask: { method: "fs/read_text_file", params: { path, ...more } },
});

export const writes = (path: string, text: string): FakeStep => ({
  ask: { method: "fs/write_text_file", params: { path, content: text } },
});
