// The contestant of the benchmark `chat-answer`: one answer, applied as the chat does it.
import { createApi, defaultTimeouts } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import { table } from "../../../src/api/table.ts";
import { createHostTransport } from "../../../src/api/transport/host.ts";
import { askForAnswer } from "../../../src/chat/host/answer/answerStream.ts";
import type { Client } from "../../../src/session/session.ts";
import type { Prepare } from "../interleave.ts";

export interface AnswerLengths {
  readonly baseUrl: string;
  readonly chunks: number;
}

export const whole: Prepare<AnswerLengths> = ({ baseUrl, chunks }) => answerOf(baseUrl, chunks);

export const quarter: Prepare<AnswerLengths> = ({ baseUrl, chunks }) => answerOf(baseUrl, chunks / 4);

/** The work resolves to true when the answer is complete. */
function answerOf(baseUrl: string, chunks: number): () => Promise<true> {
  const api = createApi(table, createHostTransport(), {
    baseUrl,
    apiKey: async () => "key",
    dialect: dialects.standard,
    timeouts: defaultTimeouts,
  });
  const client = { api } as unknown as Client;
  const messages = [{ role: "user" as const, content: String(chunks) }];
  return async () => {
    let patches = 0;
    const end = await askForAnswer(client, { model: "m", messages }, new AbortController().signal, {
      onText() {},
      onTextWasReasoning() {},
      onPatch() {
        patches += 1;
      },
      onCalls() {},
    });
    if (end !== "done" || patches === 0) throw new Error("the answer did not come");
    return true;
  };
}
