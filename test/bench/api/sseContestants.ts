// Contestants of the benchmark `sse`. Each returns the characters of text that it read.
import { createApi, defaultTimeouts } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import { table } from "../../../src/api/table.ts";
import { createHostTransport } from "../../../src/api/transport/host.ts";
import type { Prepare } from "../interleave.ts";
import type { Serving } from "./sseServer.ts";

const question = { model: "long", messages: [{ role: "user" as const, content: "Go on." }] };

/** Bytes in memory, split into lines and parsed as JSON. */
export const floor: Prepare<Serving> = async ({ baseUrl }) => {
  const reply = await fetch(`${baseUrl}/chat/completions`, { method: "POST" });
  const bytes = Buffer.from(await reply.arrayBuffer());
  return () => readBytes(bytes);
};

export const ours: Prepare<Serving> = ({ baseUrl }) => {
  const api = createApi(table, createHostTransport(), {
    baseUrl,
    apiKey: async () => "key",
    dialect: dialects.standard,
    timeouts: defaultTimeouts,
  });
  return async () => {
    const stream = await api.chat.stream(question);
    let characters = 0;
    for await (const batch of stream.batches()) {
      for (const event of batch) characters += event.choices[0]?.delta.content?.length ?? 0;
    }
    return characters;
  };
};

export const openai: Prepare<Serving> = async ({ baseUrl }) => {
  const { default: OpenAI } = await import("openai");
  const client = new OpenAI({ baseURL: baseUrl, apiKey: "key" });
  return async () => {
    const stream = await client.chat.completions.create({ ...question, stream: true });
    let characters = 0;
    for await (const event of stream) characters += event.choices[0]?.delta.content?.length ?? 0;
    return characters;
  };
};

function readBytes(bytes: Buffer): number {
  const lineEnd = 10;
  let characters = 0;
  let from = 0;
  for (let end = bytes.indexOf(lineEnd); end !== -1; end = bytes.indexOf(lineEnd, from)) {
    if (end > from) characters += charactersOf(bytes.toString("utf8", from + "data: ".length, end));
    from = end + 1;
  }
  return characters;
}

function charactersOf(data: string): number {
  return data === "[DONE]" ? 0 : JSON.parse(data).choices[0].delta.content.length;
}
