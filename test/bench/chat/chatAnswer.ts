// Answers whose every chunk has reasoning details or token probabilities: four times as many take four times as long.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { frame } from "../../loopback/answers.ts";
import { atMostTimes, type Benchmark, type Figure, paired } from "../figure.ts";
import { interleave, type Sample } from "../interleave.ts";
import type { AnswerLengths } from "./chatAnswerContestants.ts";

const chunks = 40_000;
/** At most 2.3 for each doubling; quadratic work would be 16. */
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
      const { port } = server.address() as AddressInfo;
      const given: AnswerLengths = { baseUrl: `http://127.0.0.1:${port}/api/v1`, chunks };
      try {
        const { quarter, whole } = await interleave({
          module: "chat/chatAnswerContestants.ts",
          names: ["quarter", "whole"],
          given,
          rounds: 5,
          expected: true,
        });
        // Processor time: other load on the machine does not count.
        const cpuMs = (samples: readonly Sample[]) => samples.map((sample) => sample.cpuMs);
        const pair = paired(cpuMs(whole), cpuMs(quarter));
        figures[`chat-answer.${name}`] = atMostTimes(pair, "ms", growth, "a quarter as many");
      } finally {
        server.close();
      }
    }
    return figures;
  },
};

/** Sends the number of events in the question. */
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
