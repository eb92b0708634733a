// A connection of the environment to a service that answers as a test wants: models that take images and reason.
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import * as vscode from "vscode";
import { commands, environment, languageModelVendor as vendor } from "../../../src/shared/names/ids.ts";

const user = vscode.LanguageModelChatMessage.User;
const assistant = vscode.LanguageModelChatMessage.Assistant;
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";
const weather: vscode.LanguageModelChatTool = {
  name: "weather",
  description: "The weather of a place.",
  inputSchema: { type: "object", properties: { place: { type: "string" } } },
};
const seer = {
  id: "seer",
  type: "text",
  model_spec: {
    name: "Seer",
    traits: ["default"],
    availableContextTokens: 100_000,
    maxCompletionTokens: 16_000,
    pricing: { input: { usd: 0.2 }, output: { usd: 0.8 } },
    capabilities: { supportsVision: true, supportsFunctionCalling: true, supportsReasoningEffort: true },
  },
};

interface Sent {
  readonly role: string;
  readonly content: unknown;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly { readonly id: string }[];
}

describe("language models of a scripted service", () => {
  let server: Server;
  /** The messages of each request. */
  const asked: (readonly Sent[])[] = [];
  const choose = (delta: object) => ({
    id: "c",
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta }],
  });
  const environmentBefore = { ...process.env };

  before(async () => {
    server = createServer(async (request, response) => {
      if (!request.url?.includes("/chat/completions")) {
        response.setHeader("content-type", "application/json");
        return void response.end(JSON.stringify({ object: "list", type: "text", data: [seer] }));
      }
      const { messages } = (await json(request)) as { messages: readonly Sent[] };
      asked.push(messages);
      const round = messages.filter(({ role }) => role === "user").length;
      const call = {
        index: 0,
        id: `call-${round}`,
        function: { name: "weather", arguments: `{"place":"${round}"}` },
      };
      const deltas =
        messages.at(-1)?.role === "tool" || !JSON.stringify(messages.at(-1)).includes("weather")
          ? [{ content: "Seen." }]
          : [
              { reasoning_content: `reason ${round}, ` },
              { reasoning_content: "to the letter" },
              { tool_calls: [call] },
            ];
      response.setHeader("content-type", "text/event-stream");
      for (const delta of deltas) response.write(`data: ${JSON.stringify(choose(delta))}\n\n`);
      response.end("data: [DONE]\n\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    process.env[environment.baseUrl] = `http://127.0.0.1:${port}/api/v1`;
    process.env[environment.key] = "host-test-key-canary";
    await vscode.commands.executeCommand(commands.connectionUseSandbox);
  });
  after(() => {
    for (const name of [environment.baseUrl, environment.key])
      if (environmentBefore[name] === undefined) delete process.env[name];
      else process.env[name] = environmentBefore[name];
    server.closeAllConnections();
    server.close();
  });

  it("accept an image, which reaches the service to the byte", async () => {
    const image = new vscode.LanguageModelDataPart(Buffer.from(pixel, "base64"), "image/png");
    const message = user([new vscode.LanguageModelTextPart("What is this?"), image]);
    assert.equal(await textOf(await (await model()).sendRequest([message])), "Seen.");
    const content = asked.at(-1)?.at(-1)?.content;
    assert.ok(JSON.stringify(content).includes(`data:image/png;base64,${pixel}`), JSON.stringify(content));
  });

  it("get their reasoning back to the letter, by the id of the call; ten rounds", async () => {
    const chosen = await model();
    const messages: vscode.LanguageModelChatMessage[] = [];
    for (let round = 1; round <= 10; round++) {
      messages.push(user("Use weather."));
      const answer = await chosen.sendRequest(messages, { tools: [weather] });
      const calls: vscode.LanguageModelToolCallPart[] = [];
      for await (const part of answer.stream)
        if (part instanceof vscode.LanguageModelToolCallPart) calls.push(part);
      const [call] = calls;
      assert.ok(call);
      const result = new vscode.LanguageModelToolResultPart(call.callId, [
        new vscode.LanguageModelTextPart("5 °C"),
      ]);
      messages.push(assistant([call]), user([result]));
      assert.equal(await textOf(await chosen.sendRequest(messages, { tools: [weather] })), "Seen.");
      const sent = (asked.at(-1) ?? []).filter(({ tool_calls }) => tool_calls !== undefined);
      assert.equal(sent.length, round);
      assert.deepEqual(
        sent.map(({ reasoning_content }) => reasoning_content),
        sent.map((_, at) => `reason ${at + 1}, to the letter`),
      );
      messages.push(assistant("Seen."));
    }
  });
});

async function model(): Promise<vscode.LanguageModelChat> {
  const [found] = await vscode.lm.selectChatModels({ vendor, family: "seer" });
  assert.ok(found, "the model of the environment is not listed");
  return found;
}

async function textOf(answer: vscode.LanguageModelChatResponse): Promise<string> {
  let text = "";
  for await (const part of answer.text) text += part;
  return text;
}
