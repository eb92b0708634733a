// A service caches a prompt up to the first byte that differs from an earlier one (wire.md section 5). So each request of a
// conversation must begin with the messages and tools of the one before it, unless a reason of this list has changed them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import * as fc from "fast-check";
import { ChatChunk } from "../../../../../src/api/endpoints/chat/chatReply.ts";
import type { ChatRequest } from "../../../../../src/api/endpoints/chat/chatRequest.ts";
import { setUserPlan } from "../../../../../src/chat/host/agent/userPlan.ts";
import { createAnswerRuns } from "../../../../../src/chat/host/answer/answerRuns.ts";
import { createContextWindow } from "../../../../../src/chat/host/answer/contextWindow.ts";
import { createLiveChat, type LiveChat } from "../../../../../src/chat/host/conversation/liveChat.ts";
import type { LogEntry } from "../../../../../src/chat/host/history/log/logEntry.ts";
import {
  applyEntry,
  emptyLogState,
  type LogState,
} from "../../../../../src/chat/host/history/log/logState.ts";
import { ChatPrompt, type PromptSource } from "../../../../../src/chat/host/prompt/chatPrompt.ts";
import { noGuidance } from "../../../../../src/chat/host/prompt/guidance.ts";
import type { ModelToolCall } from "../../../../../src/chat/host/tools/tool.ts";
import type { ChatMode } from "../../../../../src/chat/protocol/agentModes.ts";
import { isRunning } from "../../../../../src/chat/protocol/chatMessages.ts";
import type { Session } from "../../../../../src/session/session.ts";
import type { Attachment } from "../../../../../src/shared/chat/chatAttachments.ts";
import type { ModelCard } from "../../../../../src/shared/chat/chatModels.ts";
import { noNames } from "../../../../../src/shared/chat/modelNames.ts";
import { nothing } from "../../../../../src/shared/money/amounts.ts";
import { Counted } from "../../../../../src/shared/money/budgetRule.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { answerWith, silent } from "../../answerMessage.ts";
import { tool } from "../../weatherTool.ts";

/** Everything that may change a request before its new part, and why. */
const allowed = {
  model: "another model can't read the cache of the first one",
  mode: "the mode is the user's permission: the model must be offered its tools, and told its rules",
  system: "the user has written another system prompt",
  instructions: "the user has changed the project's instructions: the former ones must not be obeyed",
  tools: "the user has chosen other tools",
  edit: "the user has changed or answered anew an earlier message",
  continuation: "the sentence that asks to go on with a cut-off answer is no part of the conversation",
  summary: "a summary stands for the older messages, which do not fit any more",
  shrunk:
    "older large results shrink to their handles, because the context is nearly full; sentResults.test.ts holds that this is rare",
  trimmed: "the older turns do not fit any more; contextWindow.test.ts holds that this is rare",
} as const;
type Reason = keyof typeof allowed;

const words = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.constantFrom("naïve 日本語 🙂", '{"a":1}\n\n', "x".repeat(900)),
);
const output = fc.integer({ min: 20, max: 400 }).map((count) => "a line of output\n".repeat(count));
const result = fc.record({
  state: fc.constantFrom("done", "failed", "refused"),
  result: fc.oneof(words, output),
});
const reply = fc.record({
  text: words,
  reasoning: words,
  calls: fc.array(words, { maxLength: 3 }),
  details: fc.boolean(),
  end: fc.constantFrom("done", "done", "done", "fails", "breaks off"),
});
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constant("ask" as const), text: words, files: fc.nat(2), reply }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constant("results" as const), results: fc.array(result), reply }),
  },
  fc.record({ does: fc.constant("plan" as const), plan: words }),
  fc.record({ does: fc.constant("userPlan" as const), plan: words }),
  fc.record({ does: fc.constant("reload" as const) }),
  fc.record({ does: fc.constant("continue" as const), reply }),
  fc.record({ does: fc.constant("again" as const), reply }),
  fc.record({ does: fc.constant("mode" as const), mode: fc.constantFrom<ChatMode>("ask", "plan", "agent") }),
  fc.record({
    does: fc.constant("change" as const),
    what: fc.constantFrom("model", "system", "instructions", "tools"),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Reply = typeof reply extends fc.Arbitrary<infer Value> ? Value : never;

/** One conversation over reloads of its window, with a service that keeps the requests. */
class Conversation {
  readonly requests: { readonly request: ChatRequest; readonly reasons: ReadonlySet<Reason> }[] = [];
  readonly problems: string[] = [];
  readonly #card: ModelCard;
  readonly #log: LogState = emptyLogState("conversation", 0);
  readonly #files = new Map<string, Uint8Array>();
  readonly #reasons = new Set<Reason>();
  #chat: LiveChat;
  #model = "model-a";
  #instructions = "Use tabs.";
  #toolNames = ["get_weather", "update_plan"];
  #reply: Reply | undefined;
  #count = 0;

  constructor(contextTokens: number | undefined) {
    const limits = contextTokens === undefined ? {} : { contextTokens };
    this.#card = { id: "m", name: "M", capabilities: ["vision"], ...limits } as unknown as ModelCard;
    this.#chat = this.#open();
    this.#chat.set({ settings: { system: "Be brief.", mode: "ask", tools: ["get_weather"] } });
  }

  async take(taken: Step): Promise<void> {
    switch (taken.does) {
      case "ask":
        return this.#ask(taken);
      case "results":
        return this.#sendResults(taken.results, taken.reply);
      case "plan":
        return this.#writePlan(taken.plan);
      case "userPlan":
        return setUserPlan(this.#chat, taken.plan);
      case "reload":
        this.#chat = this.#open();
        return;
      case "continue":
        return this.#goOn(taken.reply);
      case "again":
        return this.#again(taken.reply);
      case "mode":
        this.#chat.set({ settings: { ...this.#chat.state.settings, mode: taken.mode } });
        return void this.#reasons.add("mode");
      case "change":
        return this.#change(taken.what as "model" | "system" | "instructions" | "tools");
    }
  }

  #open(): LiveChat {
    const record = (entries: readonly LogEntry[]) => {
      for (const entry of entries) applyEntry(this.#log, JSON.parse(JSON.stringify(entry)));
    };
    const chat = createLiveChat({ ...silent, record });
    chat.open(this.#log);
    return chat;
  }

  async #ask({ text, files, reply: next }: Extract<Step, { readonly does: "ask" }>): Promise<void> {
    this.#count += 1;
    const attachments = Array.from({ length: files }, (_, index) => this.#attach(index));
    const id = `q${this.#count}`;
    const question = { role: "user", id, text: `${id}: ${text}`, attachments } as const;
    this.#chat.add(question, this.#chat.leafId);
    await this.#answer(next);
  }

  #attach(index: number): Attachment {
    const blob = `blob ${this.#count} ${index}`;
    this.#files.set(blob, Buffer.from(`content ${this.#count} of ${index}`));
    const [kind, mediaType] =
      index === 0 ? (["file", "text/plain"] as const) : (["image", "image/png"] as const);
    return { id: blob, kind, name: `${index}.ts`, mediaType, bytes: 12, tokens: 3, blob };
  }

  async #sendResults(results: readonly { readonly state: string; readonly result: string }[], next: Reply) {
    const last = this.#chat.path().at(-1);
    if (last?.role !== "assistant" || !last.calls?.length) return;
    const calls = last.calls.map((call, index) => ({ ...call, ...results[index] })) as typeof last.calls;
    this.#chat.change({ op: "patch", id: last.id, patch: { calls } });
    await this.#answer(next);
  }

  #writePlan(plan: string): void {
    const last = this.#chat.path().at(-1);
    if (last?.role === "assistant") this.#chat.change({ op: "patch", id: last.id, patch: { plan } });
  }

  async #goOn(next: Reply): Promise<void> {
    const last = this.#chat.path().at(-1);
    if (last?.role !== "assistant" || last.calls?.length) return;
    const patch = { state: "streaming", problem: null, finishReason: null } as const;
    this.#chat.change({ op: "patch", id: last.id, patch });
    this.#reasons.add("continuation");
    await this.#run(last.id, next);
    this.#reasons.add("continuation");
  }

  async #again(next: Reply): Promise<void> {
    const last = this.#chat.path().at(-1);
    if (last?.role !== "assistant") return;
    this.#chat.show(this.#chat.tree.get(last.id)?.parentId ?? null);
    this.#reasons.add("edit");
    await this.#answer(next);
  }

  #change(what: "model" | "system" | "instructions" | "tools"): void {
    const { settings } = this.#chat.state;
    this.#reasons.add(what);
    if (what === "model") this.#model = this.#model === "model-a" ? "model-b" : "model-a";
    if (what === "system") this.#chat.set({ settings: { ...settings, system: `${settings.system} More.` } });
    if (what === "instructions") this.#instructions += " Always.";
    if (what === "tools") this.#toolNames = this.#toolNames.toReversed();
  }

  async #answer(next: Reply): Promise<void> {
    this.#count += 1;
    const id = `a${this.#count}`;
    this.#chat.add(answerWith(id, { model: this.#model, state: "waiting" }), this.#chat.leafId);
    await this.#run(id, next);
  }

  async #run(id: string, next: Reply): Promise<void> {
    const chat = this.#chat;
    this.#reply = next;
    const cardOf = () => this.#card;
    const blobs = { read: async (name: string) => this.#files.get(name) };
    const readBeginning = async () => ({ systemTokens: 0, toolTokens: 0 });
    const context = createContextWindow({ chat, cardOf, readBeginning });
    const kinds = { get_weather: "read", update_plan: "plan" } as Readonly<Record<string, "read" | "plan">>;
    const runs = createAnswerRuns({
      ...{ chat, blobs, cardOf, context, session: this.#session() },
      tools: async () => this.#toolNames.map((name) => ({ ...tool(name), kind: kinds[name] ?? "read" })),
      prompt: new ChatPrompt({ chat, source: this.#source() }),
      onCalls: (answerId, calls) =>
        chat.change({ op: "patch", id: answerId, patch: { calls: toCards(calls) } }),
      settled: async () => {},
      onAnswered() {},
      onRefused() {},
      report: (error) => void this.problems.push(String(error)),
    });
    const answer = chat.tree.get(id);
    assert.ok(answer?.role === "assistant");
    runs.start([answer], () => false);
    while (runs.areRunning) await nextTurn();
    const ended = chat.tree.get(id);
    assert.ok(ended?.role === "assistant" && !isRunning(ended));
  }

  /** The window differs at each request: nothing of it may change what was sent. */
  #source(): PromptSource {
    const machine = { folders: ["/work"], system: "Linux", shell: "/bin/sh", editor: "Editor" };
    const files = [{ path: "AGENTS.md", text: this.#instructions }];
    return {
      machine: { ...machine, folders: [`/work/${this.#count}`] },
      facts: async () => ({
        date: `2026-11-${10 + (this.#count % 20)}`,
        branch: `b${this.#count % 3}`,
        changes: this.#count,
        openFiles: [`${this.#count}.ts`],
        unsavedFiles: this.#count % 2 === 0 ? [] : ["a.ts"],
      }),
      tree: async () => [{ folder: "./", names: [`${this.#count}.ts`] }],
      guidance: async () => ({ ...noGuidance, files }),
      instructionsFor: async (path) => [
        { path: `${path}/AGENTS.md`, text: `Rule ${this.#count}.`, scope: `the files below ${path}` },
      ],
      onDidChange: () => ({ dispose() {} }),
    };
  }

  #session(): Pick<Session, "active" | "client" | "spend"> {
    const stream = async (request: ChatRequest) => this.#stream(request);
    const prices = { models: async () => new Map(), names: async () => noNames, usdPerCredit: [0, 0] };
    const client = { api: { chat: { stream } }, prices, connection: { id: "c" } };
    const taskSpend = async () => ({ spent: nothing, claimed: Counted.zero });
    return {
      active: undefined,
      client: async () => client,
      spend: async () => ({ taskSpend }),
    } as unknown as Pick<Session, "active" | "client" | "spend">;
  }

  #stream(request: ChatRequest) {
    // The request for a summary is no request of the conversation.
    const isSummary = request.prompt_cache_key === undefined;
    if (isSummary) this.#reasons.add("summary");
    else this.requests.push({ request, reasons: new Set(this.#reasons) });
    if (!isSummary) this.#reasons.clear();
    const { text, reasoning, calls, details, end } = this.#reply ?? assert.fail();
    if (!isSummary && end === "fails") throw new Error("no answer");
    const made = calls.map((city, index) => ({
      index,
      id: `call ${this.#count} ${index}`,
      type: "function",
      function: { name: "get_weather", arguments: JSON.stringify({ city, path: `f${city.length % 4}` }) },
      ...(details ? { extra_content: { signature: "s" } } : {}),
    }));
    const delta = isSummary
      ? { content: "What was done so far." }
      : {
          content: text,
          reasoning_content: reasoning,
          ...(made.length > 0 ? { tool_calls: made } : {}),
          ...(details ? { reasoning_details: [{ type: "reasoning.text", text: "why" }] } : {}),
        };
    const chunk = ChatChunk.parse({ choices: [{ index: 0, delta, finish_reason: "stop" }] });
    return {
      end: !isSummary && end === "breaks off" ? "truncated" : "done",
      async *batches() {
        yield [chunk];
      },
    };
  }
}

function toCards(calls: readonly ModelToolCall[]) {
  return calls.map((call) => ({ ...call, title: "", says: "", state: "asks" as const }));
}

/** The messages as they are sent, without the bracket that ends them. */
const sentMessages = ({ messages }: ChatRequest) => JSON.stringify(messages).slice(0, -1);

/** True if the request begins with a later turn of the one before it, and goes on from there. */
function isTrimmed(before: ChatRequest, after: ChatRequest): boolean {
  const [first] = after.messages.filter(({ role }) => role !== "system");
  const { messages } = before;
  const from = messages.findLastIndex((message) => JSON.stringify(message) === JSON.stringify(first));
  const fixed = messages.filter(({ role }) => role === "system");
  if (from < 0) return first?.role === "user";
  return sentMessages(after).startsWith(
    sentMessages({ ...before, messages: [...fixed, ...messages.slice(from)] }),
  );
}

/** The same request with the results shrunk that the one after it has shrunk; undefined if there are none. */
function withShrunk(before: ChatRequest, after: ChatRequest): ChatRequest | undefined {
  const shrunk = new Map(
    after.messages.flatMap((message) =>
      message.role === "tool" && String(message.content).startsWith("[This older result")
        ? [[message.tool_call_id, message] as const]
        : [],
    ),
  );
  const messages = before.messages.map(
    (message) => (message.role === "tool" && shrunk.get(message.tool_call_id)) || message,
  );
  const isSame = messages.every((message, index) => message.content === before.messages[index]?.content);
  return isSame ? undefined : { ...before, messages };
}

/** What changed the request before its new part. Fails if nothing of the list has. */
function changeOf(before: ChatRequest, after: ChatRequest, reasons: ReadonlySet<Reason>): Reason | "same" {
  const isSame =
    JSON.stringify(after.tools) === JSON.stringify(before.tools) &&
    sentMessages(after).startsWith(sentMessages(before));
  if (isSame) return "same";
  const [reason] = reasons;
  if (reason !== undefined) return reason;
  const shrunk = withShrunk(before, after);
  if (shrunk && changeOf(shrunk, after, reasons) === "same") return "shrunk";
  assert.ok(isTrimmed(shrunk ?? before, after), difference(before, after));
  return "trimmed";
}

test("each request of a conversation begins with the one before it, byte by byte, unless a listed reason changes it", async () => {
  const seen = new Set<string>();
  let notes = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 30 }),
      fc.option(fc.integer({ min: 1500, max: 6000 }), { nil: undefined }),
      async (steps, contextTokens) => {
        const conversation = new Conversation(contextTokens);
        for (const taken of steps) await conversation.take(taken);
        const { requests, problems } = conversation;
        for (const problem of problems) assert.match(problem, /^Error: no answer$/);
        for (const [index, { request, reasons }] of requests.entries()) {
          assert.equal(request.prompt_cache_key, "conversation");
          notes += JSON.stringify(request).includes("Changed since") ? 1 : 0;
          const before = requests[index - 1]?.request;
          if (!before) continue;
          const found = changeOf(before, request, reasons);
          assert.ok(
            (found !== "trimmed" && found !== "shrunk") || contextTokens !== undefined,
            difference(before, request),
          );
          seen.add(found);
        }
      },
    ),
    { numRuns: randomCases(400) },
  );
  assert.ok(notes > 0);
  for (const reason of seen) assert.ok(reason === "same" || reason in allowed);
  assert.ok(seen.has("same"));
});

/** The messages of both, each as it begins. */
function difference(...requests: readonly ChatRequest[]): string {
  const short = (message: object) => JSON.stringify(message).slice(0, 120);
  return requests.map(({ messages }) => messages.map(short).join("\n")).join("\n-- then --\n");
}
