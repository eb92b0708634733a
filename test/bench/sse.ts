// 200,000 chat chunks over loopback, parsed and validated: against the bare floor, and against the openai client.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import OpenAI from "openai";
import { createApi, defaultTimeouts } from "../../src/api/client.ts";
import { dialects } from "../../src/api/dialect.ts";
import { table } from "../../src/api/table.ts";
import { createHostTransport } from "../../src/api/transport/host.ts";
import { atLeast, type Benchmark, median } from "./figure.ts";
import { interleave } from "./interleave.ts";
import type { Serving } from "./sseServer.ts";

const rounds = 7;
const question = { model: "long", messages: [{ role: "user" as const, content: "Go on." }] };

export const benchmark: Benchmark = {
  name: "sse",
  async run() {
    const server = fork(join(import.meta.dirname, "sseServer.ts"), { serialization: "json" });
    try {
      const { baseUrl, chunks, characters } = await ready(server);
      const reply = await fetch(`${baseUrl}/chat/completions`, { method: "POST" });
      const bytes = Buffer.from(await reply.arrayBuffer());
      const contestants = {
        floor: () => readBytes(bytes),
        ours: ours(baseUrl),
        openai: openai(baseUrl),
      };
      const times = await interleave(contestants, rounds, characters);
      const perSecond = (ms: readonly number[]) => (chunks / median(ms)) * 1000;
      const value = perSecond(times.ours);
      return {
        "sse.floor": atLeast(value, "events/s", perSecond(times.floor), 0.6, "the bare floor"),
        "sse.openai": atLeast(value, "events/s", perSecond(times.openai), 3, "the openai client"),
      };
    } finally {
      server.kill();
    }
  },
};

async function ready(server: ChildProcess): Promise<Serving> {
  const [message] = await once(server, "message");
  return message as Serving;
}

/** The floor: bytes that are in memory already, cut into lines and parsed. */
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

function ours(baseUrl: string): () => Promise<number> {
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
}

function openai(baseURL: string): () => Promise<number> {
  const client = new OpenAI({ baseURL, apiKey: "key" });
  return async () => {
    const stream = await client.chat.completions.create({ ...question, stream: true });
    let characters = 0;
    for await (const event of stream) characters += event.choices[0]?.delta.content?.length ?? 0;
    return characters;
  };
}
