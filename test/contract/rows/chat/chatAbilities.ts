import assert from "node:assert/strict";
import type { ChatMessage, ChatRequest, Tool } from "../../../../src/api/endpoints/chat/chatRequest.ts";
import type { CallCase, World } from "../../suite/suite.ts";
import type { SandboxTarget } from "../../suite/target.ts";
import { send } from "../../suite/wire.ts";

function tool(name: string, parameters: Record<string, unknown> = { type: "object" }): Tool {
  return { type: "function", function: { name, parameters } };
}

const weather = tool("get_weather", {
  type: "object",
  properties: { place: { type: "string", maxLength: 8 }, days: { type: "integer", minimum: 2 } },
  required: ["place", "days"],
});

async function guide({ api }: World, content: string, more: Partial<ChatRequest>) {
  const reply = await api.chat.complete({ model: "guide", messages: [{ role: "user", content }], ...more });
  const [choice] = reply.choices;
  assert.ok(choice);
  const calls = choice.message.tool_calls ?? [];
  return { reply, choice, calls, names: calls.map((call) => call.function?.name) };
}

/** spec E10, service_parameters: all off, except the service's own prompt (wire.md section 4). */
const switchesByDefault = {
  strip_thinking_response: false,
  disable_thinking: false,
  enable_e2ee: false,
  enable_web_search: "off",
  enable_web_scraping: false,
  enable_web_citations: false,
  include_search_results_in_stream: false,
  return_search_results_as_documents: false,
  include_venice_system_prompt: true,
  enable_x_search: false,
};

/** Tools, structured output and search in the chat, by models of the sandbox. */
export const chatAbilities: CallCase<SandboxTarget>[] = [
  {
    name: "calls the named tool with arguments that match its schema",
    async run(world) {
      const tools = [weather, tool("send_mail")];
      const { choice, calls } = await guide(world, "Please get weather for Genoa", { tools });
      assert.equal(choice.finish_reason, "tool_calls");
      assert.equal(calls.length, 1);
      const given = JSON.parse(calls[0]?.function?.arguments ?? "") as Record<string, unknown>;
      assert.deepEqual(Object.keys(given), ["place", "days"]);
      assert.ok(String(given.place).length <= 8 && Number(given.days) >= 2);
    },
  },
  {
    name: "answers from a tool's result",
    async run(world) {
      const { calls } = await guide(world, "get_weather", { tools: [weather] });
      const [call] = calls;
      assert.ok(call?.id);
      const messages: ChatMessage[] = [
        { role: "user", content: "get_weather" },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: call.id, type: "function", function: { name: "get_weather", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: call.id, content: "rain at noon" },
      ];
      const { choice } = await guide(world, "", { tools: [weather], messages });
      assert.match(choice.message.content ?? "", /rain at noon/);
      assert.equal(choice.finish_reason, "stop");
    },
  },
  {
    name: "obeys tool_choice and parallel_tool_calls",
    async run(world) {
      const tools = [tool("alpha"), tool("beta")];
      const of = async (text: string, more: Partial<ChatRequest>) =>
        (await guide(world, text, { tools, ...more })).names;
      assert.deepEqual(await of("alpha and beta", {}), ["alpha", "beta"]);
      assert.deepEqual(await of("alpha and beta", { parallel_tool_calls: false }), ["alpha"]);
      assert.deepEqual(await of("alpha", { tool_choice: "none" }), []);
      assert.deepEqual(await of("ferry", {}), []);
      assert.deepEqual(await of("ferry", { tool_choice: "required" }), ["alpha"]);
      const named = { type: "function", function: { name: "beta" } } as const;
      assert.deepEqual(await of("alpha", { tool_choice: named }), ["beta"]);
    },
  },
  {
    name: "returns an instance of the given schema",
    async run(world) {
      const schema = {
        type: "object",
        properties: {
          kind: { enum: ["boat", "car"] },
          seats: { type: "integer", minimum: 3, maximum: 9 },
          tags: { type: "array", items: { $ref: "#/$defs/tag" }, minItems: 2 },
          note: { type: ["string", "null"] },
        },
        required: ["kind", "seats", "tags"],
        $defs: { tag: { type: "string", minLength: 2, maxLength: 4 } },
      };
      const { choice } = await guide(world, "ferry", {
        response_format: { type: "json_schema", json_schema: { name: "boat", schema } },
      });
      const value = JSON.parse(choice.message.content ?? "") as Record<string, unknown>;
      assert.equal(value.kind, "boat");
      assert.equal(value.seats, 3);
      assert.ok(Array.isArray(value.tags) && value.tags.length === 2);
      for (const tag of value.tags) assert.ok(String(tag).length >= 2 && String(tag).length <= 4);
    },
  },
  {
    name: "echoes the effective switches with the sources of a search",
    async run(world) {
      const off = await guide(world, "when does the ferry leave", {});
      assert.deepEqual(off.reply.service_parameters, { ...switchesByDefault, web_search_citations: [] });
      const { reply, choice } = await guide(world, "when does the ferry leave", {
        service_parameters: { enable_web_search: "on", enable_web_citations: true },
      });
      const [first] = reply.service_parameters?.web_search_citations ?? [];
      assert.match(first?.title ?? "", /Ferry/);
      const page = await fetch(first?.url ?? "");
      assert.match(await page.text(), /leaves at nine/);
      const mark = world.target.dialect.id === "standard" ? /\^1\^/ : /\[REF\]0\[\/REF\]/;
      assert.match(choice.message.content ?? "", mark);
    },
  },
  {
    name: "returns sources as documents on request",
    async run(world) {
      const { calls, names } = await guide(world, "when does the ferry leave", {
        service_parameters: { enable_web_search: "on", return_search_results_as_documents: true },
      });
      const standard = world.target.dialect.id === "standard";
      assert.deepEqual(names, [standard ? "web_search" : "venice_web_search_documents"]);
      const { documents } = JSON.parse(calls[0]?.function?.arguments ?? "") as {
        documents: { title: string }[];
      };
      assert.match(documents[0]?.title ?? "", /Ferry/);
    },
  },
  {
    name: "refuses features that the model lacks and accepts those it has",
    async run({ api, target }) {
      const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
      const body = { messages: [{ role: "user", content: [image] }] };
      const refused = await send(target, { path: "/chat/completions", body: { ...body, model: "guide" } });
      assert.equal(refused.status, 400);
      const seen = await api.chat.complete({ ...body, model: "echo" } as ChatRequest);
      assert.match(seen.choices[0]?.message.content ?? "", /^\[image: image\/png/);
      for (const more of [
        { tools: [weather] },
        { response_format: { type: "json_schema", json_schema: {} } },
      ]) {
        const request = { model: "echo", messages: [{ role: "user", content: "x" }], ...more };
        assert.equal((await send(target, { path: "/chat/completions", body: request })).status, 400);
      }
    },
  },
  {
    name: "reports the cost of an answer if the dialect does",
    async run(world) {
      const { reply } = await guide(world, "ferry", { service_parameters: { enable_web_search: "on" } });
      const { prompt_tokens = 0, completion_tokens = 0 } = reply.usage ?? {};
      const usd = (prompt_tokens * 0.2 + completion_tokens * 0.8) / 1e6 + 0.01;
      if (world.target.dialect.id === "standard") assert.equal(reply.cost, undefined);
      else assert.ok(Math.abs((reply.cost?.usd ?? 0) - usd) < 1e-8, `${reply.cost?.usd} for ${usd}`);
    },
  },
];
