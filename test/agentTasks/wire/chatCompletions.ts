import { type Dialect, sendEvents, textOfContent } from "./reply.ts";

interface SentMessage {
  readonly role: string;
  readonly content?: unknown;
}

/** Streamed chat completions, as most servers speak them. */
export const openAiDialect: Dialect = {
  hasTools: ({ tools }) => Array.isArray(tools) && tools.length > 0,
  resultsIn({ messages }) {
    const sent = messages as readonly SentMessage[];
    const last = sent.findLastIndex(({ role }) => role === "assistant");
    return sent.slice(last + 1).map(({ content }) => textOfContent(content));
  },
  write(response, { text, calls }, number) {
    const chunk = (delta: object, finish: string | null = null) =>
      `data: ${JSON.stringify({
        id: `answer-${number}`,
        object: "chat.completion.chunk",
        created: 0,
        model: "model",
        choices: [{ index: 0, delta, finish_reason: finish }],
      })}\n\n`;
    const half = (part: string) => Math.ceil(part.length / 2);
    return sendEvents(response, [
      chunk({ role: "assistant", content: text }),
      ...calls.flatMap(({ name, arguments: input }, index) => [
        chunk({
          tool_calls: [
            {
              index,
              id: `call-${number}-${index}`,
              type: "function",
              function: { name, arguments: input.slice(0, half(input)) },
            },
          ],
        }),
        chunk({ tool_calls: [{ index, function: { arguments: input.slice(half(input)) } }] }),
      ]),
      chunk({}, calls.length > 0 ? "tool_calls" : "stop"),
      `data: ${JSON.stringify({
        id: `answer-${number}`,
        object: "chat.completion.chunk",
        created: 0,
        model: "model",
        choices: [],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      })}\n\n`,
      "data: [DONE]\n\n",
    ]);
  },
};
