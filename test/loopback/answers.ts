import type { ServerResponse } from "node:http";

/** Answers with a JSON value. */
export function sendJson(response: ServerResponse, status: number, value: unknown, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
}

/** Answers with a text of the given type. */
export function sendText(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { "content-type": type });
  response.end(text);
}

/** Begins a streamed answer and sends these events; the caller ends it. */
export function beginEvents(response: ServerResponse, ...events: readonly unknown[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  for (const event of events) response.write(frame(event));
}

/** One server-sent event; a string is sent unchanged, any other value as JSON. */
export function frame(event: unknown): string {
  return `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`;
}

/** A chat chunk with a piece of text (wire.md section 5). */
export function chunk(content: string, finishReason: string | null = null) {
  return {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1_790_000_000,
    model: "echo",
    choices: [{ index: 0, delta: { content }, finish_reason: finishReason }],
  };
}

/** A complete answer (spec E10). */
export function completion(content: string) {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_790_000_000,
    model: "echo",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  };
}
