// The formats on loopback with a scripted chat model behind them, for the libraries of both vendors.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { ChatChunk } from "../../../../src/api/endpoints/chat/chatReply.ts";
import { ChatRequest } from "../../../../src/api/endpoints/chat/chatRequest.ts";
import type { AgentFormat, WireEvent } from "../../../../src/gateway/formats/agentFormat.ts";
import { chatFormat } from "../../../../src/gateway/formats/chat/chatFormat.ts";
import { completionsFormat } from "../../../../src/gateway/formats/completions/completionsFormat.ts";
import { messagesFormat } from "../../../../src/gateway/formats/messages/messagesFormat.ts";
import { createResponsesFormat } from "../../../../src/gateway/formats/responses/responsesFormat.ts";
import { type Members, membersOf } from "../../../../src/shared/members.ts";

export interface FormatServer {
  readonly openai: OpenAI;
  readonly anthropic: Anthropic;
  /** The chunks of the next answers. */
  script: readonly Members[];
  /** What the formats made of the requests. */
  readonly requests: ChatRequest[];
}

export async function openFormatServer(t: TestContext): Promise<FormatServer> {
  const formats: Readonly<Record<string, AgentFormat>> = {
    "/v1/chat/completions": chatFormat,
    "/v1/completions": completionsFormat,
    "/v1/responses": createResponsesFormat(),
    "/v1/messages": messagesFormat,
  };
  const requests: ChatRequest[] = [];
  let ids = 0;
  const context = { client: "test", now: () => 1_700_000_000_000, newId: (prefix: string) => prefix + ++ids };
  const answer = async (message: IncomingMessage, response: ServerResponse) => {
    const format = formats[message.url ?? ""] ?? chatFormat;
    const { request, isStreamed, openWriter } = format.read(await bodyOf(message), context);
    requests.push(ChatRequest.parse(request));
    const writer = openWriter();
    const written = [writer.begin(), ...served.script.map((chunk) => writer.add(ChatChunk.parse(chunk)))];
    const events = [...written.flat(), ...writer.end("done")];
    response.setHeader("content-type", isStreamed ? "text/event-stream" : "application/json");
    response.end(isStreamed ? events.map(toLines).join("") : JSON.stringify(writer.whole()));
  };
  const server = createServer((message, response) => {
    void answer(message, response).catch((error: unknown) => {
      response.statusCode = 400;
      response.end(JSON.stringify({ error: { message: String(error) } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const served: FormatServer = {
    openai: new OpenAI({ apiKey: "test", baseURL: `${address}/v1`, maxRetries: 0 }),
    anthropic: new Anthropic({ apiKey: "test", baseURL: address, maxRetries: 0 }),
    script: [],
    requests,
  };
  return served;
}

function toLines({ name, data }: WireEvent): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${data}\n\n`;
}

async function bodyOf(message: IncomingMessage): Promise<Members> {
  let text = "";
  for await (const piece of message.setEncoding("utf8")) text += piece;
  return membersOf(JSON.parse(text));
}
