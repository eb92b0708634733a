// Streams as Ollama, LM Studio, vLLM and llama.cpp send them, with the faults that they are known for: the chat, the agent
// and the editor's own chat make the same of each. The files have the shape of these servers; their texts are made up.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import type { ChatTool } from "../../../../../src/chat/host/tools/tool.ts";
import type { AnswerMessage } from "../../../../../src/chat/protocol/chatMessages.ts";
import type { LanguageModelsDeps } from "../../../../../src/languageModels/deps.ts";
import type { ListedModel } from "../../../../../src/languageModels/modelList.ts";
import { ended, openChat, openViewWith } from "../../../chat/chat.ts";
import { memento } from "../../../memento.ts";
import { openConsents } from "../../../session/openConsents.ts";
import { double } from "../../../vscodeDouble.ts";
import { type LocalBench, openLocalBench } from "./localBench.ts";

const { createLanguageModels } = await import("../../../../../src/languageModels/languageModels.ts");

interface Expected {
  readonly text?: string;
  readonly reasoning?: string;
  /** Names with their arguments. */
  readonly calls?: readonly (readonly [name: string, input: object])[];
  /** What the user reads of an error. */
  readonly error?: RegExp;
  readonly status?: number;
  readonly inAgent?: Pick<Expected, "text">;
  /** What the editor's own chat shows, which can't take back what it has shown. */
  readonly inEditor?: Pick<Expected, "text" | "reasoning">;
}

const readA = ["read_file", { path: "a.txt" }] as const;

const streams: Readonly<Record<string, Expected>> = {
  "ollama-tools.sse": {
    reasoning: "Both files. One each.",
    calls: [readA, ["read_file", { path: "b.txt" }]],
  },
  "ollama-stop-with-calls.sse": { calls: [readA] },
  // A task asks a free model for its answer once.
  "ollama-reasoning-only.sse": { reasoning: "I should read the file.", inAgent: { text: "Done." } },
  "ollama-error-in-stream.sse": { text: "Let me", error: /runner process has terminated/ },
  "ollama-lone-close.sse": {
    reasoning: "The user greets me.\nI greet back.\n",
    text: "Hello!",
    inEditor: { reasoning: "", text: "The user greets me.\nI greet back.\nHello!" },
  },
  "ollama-bare-call.sse": { calls: [["read_file", { path: "a.txt", limit: 5 }]] },
  "ollama-gemma-code.sse": { calls: [["read_file", { path: "a.txt", limit: 5 }]] },
  "ollama-end-token.sse": { text: "Hello there." },
  "lmstudio-tools.sse": { text: "I read it.", calls: [readA, ["list_files", {}]] },
  "lmstudio-event-error.sse": { text: "Let me", error: /Error rendering prompt with jinja template/ },
  "lmstudio-event-error-plain.sse": { error: /The model has crashed/ },
  "lmstudio-think-tags.sse": { reasoning: "They greet", text: "Hello!" },
  "vllm-tools.sse": { calls: [readA] },
  "vllm-one-fragment.sse": { reasoning: "Read it.", calls: [readA] },
  "vllm-hermes-leak.sse": { text: "I read both.\n", calls: [readA, ["list_files", {}]] },
  // The tool's schema says that a path is text.
  "vllm-qwen-coder-leak.sse": { calls: [["read_file", { path: "123", limit: 5 }]] },
  "vllm-mistral-leak.sse": { calls: [readA] },
  "vllm-mistral-args-leak.sse": { calls: [readA] },
  "vllm-deepseek-leak.sse": { calls: [readA] },
  "vllm-error.json": { status: 400, error: /larger context|maximum context length is 4096 tokens/ },
  "vllm-error-event.sse": { error: /EngineCore encountered an issue/ },
  "llamacpp-tools.sse": { reasoning: "Read it.", calls: [readA] },
  "llamacpp-no-blank.sse": { text: "Hello there." },
  "llamacpp-harmony-leak.sse": { reasoning: "They greet.", text: "Hello!" },
  "llamacpp-harmony-call-leak.sse": { reasoning: "Read it.", calls: [readA] },
  "llamacpp-parse-error.json": { status: 500, error: /Failed to parse input at pos 412/ },
  "llamacpp-error-line.sse": { text: "Let me", error: /Failed to parse input at pos 7/ },
  "about-calls.sse": {
    text: 'Such models write <tool_call>{"name": "read_file", "arguments": {"path": "a.txt"}}</tool_call> and wait.\n\n```xml\n<tool_call>\n{"name": "read_file", "arguments": {}}\n</tool_call>\n```',
  },
  "unknown-tool-text.sse": { text: '<tool_call>\n{"name": "format_disk", "arguments": {}}\n</tool_call>' },
};

const parameters = {
  read_file: {
    type: "object",
    properties: { path: { type: "string" }, limit: { type: "integer" } },
    required: ["path"],
  },
  list_files: { type: "object", properties: {} },
} as const;

/** A tool that only reads, and notes its calls. */
function readTool(name: keyof typeof parameters, ran: unknown[]): ChatTool {
  return {
    kind: "read",
    name,
    title: name,
    description: name,
    parameters: parameters[name],
    origin: "built-in",
    fingerprint: async () => name,
    summary: () => name,
    run: async (input) => {
      ran.push([name, input]);
      return "A line.";
    },
  };
}

const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/localStreams/${name}`, import.meta.url), "utf8");

/** The next chat gets this stream. */
async function play(t: TestContext, name: string, { status = 200 }: Expected): Promise<LocalBench> {
  const bench = await openLocalBench(t, "standard");
  const type = name.endsWith(".json") ? "application/json" : "text/event-stream";
  const script = { refusal: { status, body: fixture(name), type } };
  // A refusal may be asked for again.
  if (status === 200) bench.server.next.push(script);
  bench.server.script = status === 200 ? { words: ["Done."] } : script;
  return bench;
}

/** What a person sees of an answer. */
interface Seen {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly unknown[];
  readonly error: string | undefined;
}

function assertSeen(
  seen: Seen,
  { text = "", reasoning = "", calls = [], error }: Expected,
  where: string,
): void {
  assert.deepEqual(
    { text: seen.text, reasoning: seen.reasoning, calls: seen.calls },
    { text, reasoning, calls },
    where,
  );
  if (error) assert.match(seen.error ?? "", error, where);
  else assert.equal(seen.error, undefined, where);
}

async function seenInChat(
  t: TestContext,
  bench: LocalBench,
  mode: "ask" | "agent",
  expected: Expected,
): Promise<Seen> {
  const ran: unknown[] = [];
  const tools = [readTool("read_file", ran), readTool("list_files", ran)];
  const service = { sandbox: bench.sandbox, remembered: new Map(), consents: openConsents() };
  const { controller } = openChat(t, service, { tools });
  const view = await openViewWith(controller, bench.idOf("llama3.2"));
  const chosen = mode === "ask" ? { tools: ["read_file", "list_files"] } : { mode };
  await view.say("setSettings", { settings: chosen });
  await view.say("send", { text: "Read a.txt", revision: Date.now() });
  const state = await view.until(({ messages, problem }) => {
    const [, answer] = messages;
    if (problem !== null || answer?.role !== "assistant") return problem !== null;
    return expected.calls ? (answer.calls ?? []).length > 0 : ended({ messages } as never);
  });
  const first = state.messages.find((message): message is AnswerMessage => message.role === "assistant");
  const error = (state.problem?.explanation ?? first?.problem)?.sentence;
  return {
    text: first?.text ?? "",
    reasoning: first?.reasoning ?? "",
    calls: (first?.calls ?? []).map((call) => [call.name, JSON.parse(call.arguments)]),
    error,
  };
}

async function seenInEditor({ api, idOf }: LocalBench): Promise<Seen> {
  const connection = { id: "c-1", name: "Sandbox", kind: "sandbox", baseUrl: "", dialect: "auto" };
  const deps = {
    session: { active: connection, clientOf: async () => ({ connection, api }) },
    connections: { all: () => [connection], byId: () => connection },
    chosenModels: { get: () => undefined },
    consents: openConsents(),
    globalState: memento(),
    log: { warn() {} },
  } as unknown as LanguageModelsDeps;
  const models = createLanguageModels(deps);
  const model = { id: "c-1/x", modelId: idOf("llama3.2"), connectionId: "c-1", name: "x" } as ListedModel;
  const seen = { text: "", reasoning: "", calls: [] as unknown[], error: undefined as string | undefined };
  const {
    LanguageModelTextPart: Text,
    LanguageModelToolCallPart: Call,
    LanguageModelDataPart: Data,
  } = double as never as Record<string, new (...given: unknown[]) => object>;
  const report = (part: object) => {
    const { value, name, input } = part as { value?: string; name?: string; input?: object };
    if (Call && part instanceof Call) seen.calls.push([name, input]);
    else if (Text && part instanceof Text) seen.text += value;
    else if (!(Data && part instanceof Data)) seen.reasoning += value;
  };
  const tools = Object.entries(parameters).map(([name, inputSchema]) => ({
    name,
    description: name,
    inputSchema,
  }));
  const asked = Text ? [{ role: 1, content: [new Text("Read a.txt")], name: undefined }] : [];
  const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };
  await models
    .respond(model, asked as never, { toolMode: 1, tools } as never, { report } as never, token as never)
    .catch((error: unknown) => {
      seen.error = (error as Error).message;
    });
  return seen;
}

for (const [name, expected] of Object.entries(streams))
  test(`${name}: the chat, the agent and the editor's chat show the same`, async (t) => {
    for (const mode of ["ask", "agent"] as const)
      assertSeen(
        await seenInChat(t, await play(t, name, expected), mode, expected),
        mode === "agent" ? { ...expected, ...expected.inAgent } : expected,
        mode,
      );
    assertSeen(
      await seenInEditor(await play(t, name, expected)),
      { ...expected, ...expected.inEditor },
      "the editor's chat",
    );
  });
