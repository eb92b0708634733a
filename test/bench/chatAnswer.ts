// Answers whose every chunk has reasoning details or token probabilities: four times as many take four times as long.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createApi, defaultTimeouts } from "../../src/api/client.ts";
import { dialects } from "../../src/api/dialect.ts";
import { table } from "../../src/api/table.ts";
import { createHostTransport } from "../../src/api/transport/host.ts";
import { askForAnswer } from "../../src/features/chat/answer/answerStream.ts";
import type { Client } from "../../src/session/session.ts";
import { frame } from "../loopback/answers.ts";
import { atMostTimes, type Benchmark, type Figure } from "./figure.ts";

const most = 40_000;
const rounds = 5;
/** At most 2.3 for each doubling; work that grows with the square would come to 16. */
const growth = 5.3;

const detail = { type: "reasoning.text", text: "some words of thought ".repeat(6), index: 0 };
const chance = { token: "a", logprob: -1, top_logprobs: [{ token: "b", logprob: -2 }] };
const choices = {
  details: { index: 0, delta: { reasoning_details: [detail] } },
  logprobs: { index: 0, delta: { content: "a" }, logprobs: { content: [chance] } },
};

export const benchmark: Benchmark = {
  name: "chat-answer",
  async run() {
    const figures: Record<string, Figure> = {};
    for (const [name, choice] of Object.entries(choices)) {
      const server = await serve(frame({ choices: [choice] }));
      try {
        const [quarter, whole] = await measured(server);
        figures[`chat-answer.${name}`] = atMostTimes(whole, "ms", quarter, growth, "a quarter as many");
      } finally {
        server.close();
      }
    }
    return figures;
  },
};

/** Sends as many events as the question asks for. */
async function serve(event: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { messages } = JSON.parse(Buffer.concat(pieces).toString()) as { messages: { content: string }[] };
    response.writeHead(200, { "content-type": "text/event-stream" });
    const batch = 100;
    for (let sent = 0; sent < Number(messages[0]?.content); sent += batch) {
      if (!response.write(event.repeat(batch))) await once(response, "drain");
    }
    response.end(frame("[DONE]"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function measured(server: Server): Promise<readonly [quarter: number, whole: number]> {
  const { port } = server.address() as AddressInfo;
  const transport = createHostTransport();
  const api = createApi(table, transport, {
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    apiKey: async () => "key",
    dialect: dialects.standard,
    timeouts: defaultTimeouts,
  });
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    for (const [place, count] of [most / 4, most].entries()) {
      const ms = await ask({ api } as unknown as Client, count);
      if (round > 0) times[place]?.push(ms);
    }
  }
  await transport.close();
  // Noise only ever adds.
  return [Math.min(...times[0]), Math.min(...times[1])];
}

/** Milliseconds of processor time: what else the machine does is none of it. */
async function ask(client: Client, count: number): Promise<number> {
  const start = process.cpuUsage();
  const messages = [{ role: "user" as const, content: String(count) }];
  let patches = 0;
  const end = await askForAnswer(client, { model: "m", messages }, new AbortController().signal, {
    onText() {},
    onPatch() {
      patches += 1;
    },
    onCalls() {},
  });
  if (end !== "done" || patches === 0) throw new Error("the answer did not come");
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
