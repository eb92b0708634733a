import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ChatChunk } from "../../../../../src/api/endpoints/chat/chatReply.ts";
import type { ChatRequest } from "../../../../../src/api/endpoints/chat/chatRequest.ts";
import { isApiError } from "../../../../../src/api/errors/errors.ts";
import type {
  AnswerWriter,
  ReadContext,
  WireError,
  WireEvent,
} from "../../../../../src/gateway/formats/agentFormat.ts";
import { countTokens } from "../../../../../src/gateway/formats/messages/countTokens.ts";
import { messagesFormat } from "../../../../../src/gateway/formats/messages/messagesFormat.ts";
import { type Members, membersOf } from "../../../../../src/shared/members.ts";

export function testContext(): ReadContext {
  let count = 0;
  let nowMs = 1_000_000;
  const newId = (prefix: string) => `${prefix}${++count}`;
  return { client: "test", now: () => (nowMs += 10), newId };
}

/** A question with these members beside. */
export function question(members: Members = {}): Members {
  return { model: "tiny", max_tokens: 100, messages: [{ role: "user", content: "Hi" }], ...members };
}

/** The request that a body becomes. */
export function read(members: Members = {}): ChatRequest {
  return messagesFormat.read(question(members), testContext()).request;
}

/** The refused members of a body with their reasons. */
export function refusals(body: Members): readonly string[] {
  try {
    messagesFormat.read(body, testContext());
  } catch (error) {
    if (!isApiError(error) || error.kind !== "invalid-request") throw error;
    return (error.details.issues ?? []).map(({ field, message }) => `${field}: ${message}`);
  }
  return [];
}

/** Chunks of a stream, each with one delta. */
export function deltas(...list: readonly Members[]): Members[] {
  return list.map((delta) => ({ choices: [{ index: 0, delta }] }));
}

export function finish(reason: string, members: Members = {}): Members {
  return { choices: [{ index: 0, delta: {}, finish_reason: reason, ...members }] };
}

export const usage = {
  choices: [],
  usage: {
    prompt_tokens: 100,
    completion_tokens: 20,
    prompt_tokens_details: { cached_tokens: 60, cache_creation_input_tokens: 10 },
    completion_tokens_details: { reasoning_tokens: 7 },
  },
};

export interface Written {
  readonly events: readonly Members[];
  readonly whole: Members;
}

function writtenBy(writer: AnswerWriter, chunks: readonly Members[], end: "done" | "truncated") {
  const events: WireEvent[] = [...writer.begin()];
  for (const chunk of chunks) events.push(...writer.add(ChatChunk.parse(chunk)));
  events.push(...writer.end(end));
  return { events, writer };
}

/** The events of a streamed answer of these chunks, or a whole one. */
export function written(
  chunks: readonly Members[],
  members: Members = {},
  end: "done" | "truncated" = "done",
): Written {
  const opened = messagesFormat.read(question(members), testContext()).openWriter();
  const { events, writer } = writtenBy(opened, chunks, end);
  return { events: events.map(({ data }) => membersOf(JSON.parse(data))), whole: membersOf(writer.whole()) };
}

interface Reply {
  readonly status: number;
  readonly value: unknown;
}

function reply(response: ServerResponse, { status, value }: Reply): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

function errorReply(error: unknown): Reply {
  const sentence = error instanceof Error ? error.message : String(error);
  const field = isApiError(error) ? error.details.issues?.[0]?.field : undefined;
  const named = field === undefined ? {} : { field };
  return { status: 400, value: messagesFormat.errorBody({ status: 400, sentence, ...named }) };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  return text;
}

/** A server with the routes of the format. Each request gets the next answer of the script, or its error. */
export async function serveScript(answers: readonly (readonly Members[] | WireError)[]) {
  const requests: { readonly body: Members; readonly chat?: ChatRequest }[] = [];
  const left = [...answers];
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => reply(response, errorReply(error)));
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = membersOf(JSON.parse(await textOf(request)));
    if (request.url?.startsWith("/v1/messages/count_tokens"))
      return reply(response, { status: 200, value: countTokens(body) });
    const translated = messagesFormat.read(body, testContext());
    requests.push({ body, chat: translated.request });
    const script = left.shift() ?? [];
    if ("status" in script)
      return reply(response, { status: script.status, value: messagesFormat.errorBody(script) });
    const { events, writer } = writtenBy(translated.openWriter(), script, "done");
    if (!translated.isStreamed) return reply(response, { status: 200, value: writer.whole() });
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(events.map(({ name, data }) => `event: ${name}\ndata: ${data}\n\n`).join(""));
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { address: `http://127.0.0.1:${port}`, requests, close };
}
