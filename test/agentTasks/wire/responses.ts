import { type Dialect, sendEvents, textOfContent } from "./reply.ts";

interface InputItem {
  readonly type?: string;
  readonly role?: string;
  readonly output?: unknown;
}

/** The Responses API, which Codex speaks. */
export const responsesDialect: Dialect = {
  hasTools: ({ tools }) => Array.isArray(tools) && tools.length > 0,
  resultsIn({ input }) {
    const items = input as readonly InputItem[];
    const last = items.findLastIndex(({ type }) => type === "function_call");
    return items.slice(last + 1).map(({ output }) => textOfContent(output));
  },
  write(response, { text, calls }, number) {
    const event = (type: string, members: object) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
    const message = {
      type: "message",
      id: `message-${number}`,
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text, annotations: [] }],
    };
    const output = [
      ...(text === "" ? [] : [message]),
      ...calls.map((call, index) => ({
        type: "function_call",
        id: `item-${number}-${index}`,
        call_id: `call-${number}-${index}`,
        status: "completed",
        ...call,
      })),
    ];
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const reply = { id: `response-${number}`, object: "response" };
    return sendEvents(response, [
      event("response.created", { response: { ...reply, status: "in_progress", output: [] } }),
      ...output.map((item, index) => event("response.output_item.done", { output_index: index, item })),
      event("response.completed", { response: { ...reply, status: "completed", output, usage } }),
    ]);
  },
};
