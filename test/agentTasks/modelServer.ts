// A server with one model whose answers are written down: each request of a task gets its next one.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { openAiDialect } from "./wire/chatCompletions.ts";
import type { Dialect, ModelReply } from "./wire/reply.ts";

export interface SeenRequest {
  readonly bytes: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** Milliseconds from the end of the answer before it; undefined for the first. */
  readonly afterMs: number | undefined;
}

export interface ModelServer {
  readonly baseUrl: string;
  /** The requests of the task, in order; without those for titles. */
  readonly requests: readonly SeenRequest[];
  close(): Promise<void>;
}

export interface ModelServerOptions {
  readonly models: readonly string[];
  /** The reply to the next request of the task. `results` are those of the calls before it. */
  readonly reply: (results: readonly string[], body: SeenRequest["body"]) => ModelReply;
  /** Other ways to ask than `/chat/completions`, by the end of their path. */
  readonly dialects?: Readonly<Record<string, Dialect>>;
  /** Price of a million tokens of any kind; default 0. Each answer has two tokens. */
  readonly usdPerMillion?: number;
  readonly report: (error: unknown) => void;
}

const contextTokens = 200_000;
const maxCompletionTokens = 10_000;

export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const requests: SeenRequest[] = [];
  let endedMs: number | undefined;
  const { usdPerMillion: usd = 0 } = options;
  const dialects: Readonly<Record<string, Dialect>> = {
    "/chat/completions": openAiDialect,
    ...options.dialects,
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? "", "http://model.test").pathname;
    if (path.endsWith("/models")) {
      const data = options.models.map((id) => ({
        id,
        object: "model",
        created: 0,
        owned_by: "test",
        type: "text",
        context_length: contextTokens,
        model_spec: {
          availableContextTokens: contextTokens,
          capabilities: { supportsFunctionCalling: true },
          maxCompletionTokens,
          pricing: { input: { usd }, output: { usd } },
        },
      }));
      response.setHeader("content-type", "application/json").end(JSON.stringify({ object: "list", data }));
      return;
    }
    const startedMs = performance.now();
    const text = await bodyOf(request);
    const dialect = Object.entries(dialects).find(([end]) => path.endsWith(end))?.[1];
    if (!dialect || request.method !== "POST") {
      response.writeHead(404).end();
      return;
    }
    const body = JSON.parse(text) as SeenRequest["body"];
    const isOfTask = dialect.hasTools(body);
    if (isOfTask)
      requests.push({
        bytes: Buffer.byteLength(text),
        body,
        afterMs: endedMs === undefined ? undefined : startedMs - endedMs,
      });
    const reply = isOfTask ? options.reply(dialect.resultsIn(body), body) : { text: "A title", calls: [] };
    await dialect.write(response, reply, requests.length);
    if (isOfTask) endedMs = performance.now();
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      options.report(error);
      // Not an error that a client tries again.
      response.writeHead(400).end(JSON.stringify({ error: { message: String(error) } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
