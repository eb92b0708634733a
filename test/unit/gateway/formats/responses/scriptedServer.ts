// POST /v1/responses on loopback with a scripted chat model behind the format, as the gateway has it.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { ChatChunk } from "../../../../../src/api/endpoints/chat/chatReply.ts";
import { ChatRequest } from "../../../../../src/api/endpoints/chat/chatRequest.ts";
import { isApiError } from "../../../../../src/api/errors/errors.ts";
import type { WireError, WireEvent } from "../../../../../src/gateway/formats/agentFormat.ts";
import { createResponsesFormat } from "../../../../../src/gateway/formats/responses/responsesFormat.ts";
import { isMembers, type Members } from "../../../../../src/shared/members.ts";

/** The chunks of one answer, or the error that ends its stream. */
export type Script = readonly (Members | { readonly fails: WireError })[];

export interface ScriptedServer {
  readonly baseUrl: string;
  /** What the format made of each request, after the schema of the chat route. */
  readonly requests: ChatRequest[];
  readonly bodies: Members[];
  close(): Promise<void>;
}

/** Each request gets the next script; the last one is used for all further ones. */
export async function startScripted(scripts: readonly Script[], port = 0): Promise<ScriptedServer> {
  const format = createResponsesFormat();
  const requests: ChatRequest[] = [];
  const bodies: Members[] = [];
  let ids = 0;
  const context = {
    client: "test",
    now: () => 1_700_000_000_000,
    newId: (prefix: string) => `${prefix}${++ids}`,
  };
  const answer = (body: Members, response: ServerResponse) => {
    bodies.push(body);
    const { request, isStreamed, openWriter } = format.read(body, context);
    const script = scripts[Math.min(requests.length, scripts.length - 1)] ?? [];
    requests.push(ChatRequest.parse(request));
    const writer = openWriter();
    response.setHeader("content-type", isStreamed ? "text/event-stream" : "application/json");
    const send = (events: readonly WireEvent[]) => {
      if (isStreamed)
        for (const { name, data } of events) response.write(`event: ${name}\ndata: ${data}\n\n`);
    };
    send(writer.begin());
    for (const step of script) {
      if (isFailure(step)) {
        send(writer.fail(step.fails));
        return response.end();
      }
      send(writer.add(ChatChunk.parse(step)));
    }
    send(writer.end("done"));
    return response.end(isStreamed ? undefined : JSON.stringify(writer.whole()));
  };
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      try {
        answer(body, response);
      } catch (error) {
        if (!isApiError(error)) throw error;
        const [issue] = error.details.issues ?? [];
        const wire = { status: 400, sentence: error.message, ...(issue ? { field: issue.field } : {}) };
        response.statusCode = 400;
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(format.errorBody(wire)));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${bound}/v1`,
    requests,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function isFailure(step: Script[number]): step is { readonly fails: WireError } {
  return "fails" in step;
}

async function readBody(request: IncomingMessage): Promise<Members> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  const body: unknown = JSON.parse(Buffer.concat(pieces).toString() || "{}");
  return isMembers(body) ? body : {};
}

/** A chunk of the first choice. */
export function delta(members: Members, finish_reason?: string): Members {
  return {
    id: "c",
    object: "chat.completion.chunk",
    model: "m",
    choices: [{ index: 0, delta: members, finish_reason }],
  };
}

export const usage: Members = {
  choices: [],
  usage: {
    prompt_tokens: 12,
    completion_tokens: 5,
    total_tokens: 17,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 2 },
  },
};
