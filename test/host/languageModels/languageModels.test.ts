import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import {
  commands,
  extensionId,
  settings,
  languageModelVendor as vendor,
} from "../../../src/shared/names/ids.ts";
import { activateProbe, probeContext } from "../extensions.ts";

const configuration = () => vscode.workspace.getConfiguration();
const user = vscode.LanguageModelChatMessage.User;
const weather: vscode.LanguageModelChatTool = {
  name: "weather",
  description: "The weather of a place.",
  inputSchema: { type: "object", properties: { place: { type: "string" } }, required: ["place"] },
};

/** A PNG of one red pixel: the editor refuses an image that it can't decode. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";

describe("language models", () => {
  before(async () => {
    await configuration().update(settings.sandboxTokensPerSecond, 100_000, true);
    await vscode.commands.executeCommand(commands.connectionUseSandbox);
  });
  after(async () => {
    await configuration().update(settings.sandboxTokensPerSecond, undefined, true);
  });

  it("are those of the connection, with their limits", async () => {
    const models = await vscode.lm.selectChatModels({ vendor });
    assert.deepEqual(
      models.map(({ id, name, family, maxInputTokens }) => [id, name, family, maxInputTokens]),
      [
        ["sandbox/guide", "Guide · Sandbox", "guide", 131_072 - 16_384],
        ["sandbox/thinker", "Thinker · Sandbox", "thinker", 200_000 - 32_768],
        ["sandbox/viewer", "Viewer · Sandbox", "viewer", 131_072 - 16_384],
      ],
    );
  });

  it("answer with text and usage, and count tokens", async () => {
    const guide = await model("guide");
    const { texts, data } = await read(await ask(guide, "How do I choose a model?"));
    assert.match(texts.join(""), /picker/i);
    assert.deepEqual(
      data.map(({ mimeType }) => mimeType),
      ["usage"],
    );
    const usage = JSON.parse(new TextDecoder().decode(data[0]?.data));
    assert.ok(usage.prompt_tokens > 0 && usage.total_tokens > usage.completion_tokens);
    assert.ok((await guide.countTokens("some words")) > 0);
  });

  it("show their reasoning apart from the text", async () => {
    const parts = await all(await ask(await model("thinker"), "How do I choose a model?"));
    const thinking = parts.filter(
      (part) => part?.constructor === Reflect.get(vscode, "LanguageModelThinkingPart"),
    );
    assert.ok(thinking.length > 0);
    assert.ok(parts.some((part) => part instanceof vscode.LanguageModelTextPart));
  });

  it("call a tool, and go on with its result; ten rounds", async () => {
    const guide = await model("guide");
    const messages: vscode.LanguageModelChatMessage[] = [];
    for (let round = 0; round < 10; round++) {
      messages.push(user("Use weather."));
      const { calls } = await read(await guide.sendRequest(messages, { tools: [weather] }));
      const [call] = calls;
      assert.ok(call);
      assert.equal(call.name, weather.name);
      assert.equal(typeof Reflect.get(call.input, "place"), "string");
      const result = new vscode.LanguageModelToolResultPart(call.callId, [
        new vscode.LanguageModelTextPart(`${round} °C`),
      ]);
      messages.push(vscode.LanguageModelChatMessage.Assistant([call]), user([result]));
      const { texts } = await read(await guide.sendRequest(messages, { tools: [weather] }));
      assert.match(texts.join(""), new RegExp(`${round} °C`));
      messages.push(vscode.LanguageModelChatMessage.Assistant(texts.join("")));
    }
  });

  it("call the tools of two requests at once, each its own", async () => {
    const guide = await model("guide");
    const names = ["weather", "news"];
    const called = await Promise.all(
      names.map(async (name) => {
        const options = { tools: names.map((one) => ({ ...weather, name: one })) };
        return read(await guide.sendRequest([user(`Use ${name}.`)], options));
      }),
    );
    assert.deepEqual(
      called.map(({ calls }) => calls.map(({ name }) => name)),
      [["weather"], ["news"]],
    );
  });

  it("stop when they are cancelled, and answer the next request", async () => {
    await configuration().update(settings.sandboxTokensPerSecond, 5, true);
    const cancel = new vscode.CancellationTokenSource();
    const guide = await model("guide");
    const answer = await guide.sendRequest([user("How do I choose a model?")], {}, cancel.token);
    const seen: unknown[] = [];
    try {
      for await (const part of answer.stream) {
        seen.push(part);
        cancel.cancel();
      }
    } catch (error) {
      assert.ok(error instanceof Error);
    }
    await configuration().update(settings.sandboxTokensPerSecond, 100_000, true);
    assert.ok(seen.length > 0);
    assert.ok((await read(await ask(guide, "How do I choose a model?"))).texts.length > 0);
  });

  it("refuse another extension as long as the user has not allowed it: no dialog opens in tests", async () => {
    const { lm } = await activateProbe();
    const [guide] = await lm.selectChatModels({ vendor, family: "guide" });
    assert.ok(guide);
    const failure = await failureOf(async () => read(await ask(guide, "How do I choose a model?")));
    assert.equal(failure.code, vscode.LanguageModelError.NoPermissions.name);
    assert.match(
      failure.message,
      /^Nothing was sent, because you did not allow .*inference-workbench\.probe/,
    );
  });

  it("stop when they are cancelled before the first part, and between a call and its result", async () => {
    const guide = await model("guide");
    const cancelled = new vscode.CancellationTokenSource();
    cancelled.cancel();
    const before = await settled(guide.sendRequest([user("Hello")], {}, cancelled.token));
    assert.deepEqual(before, []);
    const { calls } = await read(await guide.sendRequest([user("Use weather.")], { tools: [weather] }));
    const [call] = calls;
    assert.ok(call);
    const result = new vscode.LanguageModelToolResultPart(call.callId, [
      new vscode.LanguageModelTextPart("5 °C"),
    ]);
    const messages = [
      user("Use weather."),
      vscode.LanguageModelChatMessage.Assistant([call]),
      user([result]),
    ];
    const between = new vscode.CancellationTokenSource();
    const answering = settled(guide.sendRequest(messages, { tools: [weather] }, between.token));
    between.cancel();
    await answering;
    const { texts } = await read(await guide.sendRequest(messages, { tools: [weather] }));
    assert.match(texts.join(""), /5 °C/);
  });

  it("refuse an image that they do not take, with the reason", async () => {
    const image = new vscode.LanguageModelDataPart(Buffer.from(pixel, "base64"), "image/png");
    const message = user([new vscode.LanguageModelTextPart("What is this?"), image]);
    const failure = await failureOf(async () => read(await (await model("guide")).sendRequest([message])));
    assert.match(
      failure.message,
      /Sandbox did not accept the request: .*does not take images.*choose another model/,
    );
  });

  it("refuse what a budget does not allow, with the reason; the ledger names the source of what was paid", async () => {
    await configuration().update(settings.accountBudgetHardStop, true, true);
    await configuration().update(settings.accountDayBudgetUsd, 0.000_001, true);
    try {
      const failure = await failureOf(async () => read(await ask(await model("guide"), "Hello")));
      assert.equal(failure.code, vscode.LanguageModelError.Blocked.name);
      assert.match(failure.message, /^Nothing was sent, because .*budget of this day.*Change the budget/);
      // The refusal was written after the calls before it.
      assert.match(await ledger(), /"endpoint":"chat\.stream",[^\n]*"source":\{"kind":"nativeChat"/);
    } finally {
      await configuration().update(settings.accountDayBudgetUsd, undefined, true);
      await configuration().update(settings.accountBudgetHardStop, undefined, true);
    }
  });
});

/** The journals of this window's sandbox. */
async function ledger(): Promise<string> {
  const { globalStorageUri } = await probeContext();
  const folder = join(globalStorageUri.fsPath, "..", extensionId, "spend", "sandbox");
  return readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n");
}

async function model(family: string): Promise<vscode.LanguageModelChat> {
  const [found] = await vscode.lm.selectChatModels({ vendor, family });
  assert.ok(found, family);
  return found;
}

function ask(chosen: vscode.LanguageModelChat, text: string): Thenable<vscode.LanguageModelChatResponse> {
  return chosen.sendRequest([user(text)]);
}

async function all(answer: vscode.LanguageModelChatResponse): Promise<(object | undefined)[]> {
  const parts: (object | undefined)[] = [];
  for await (const part of answer.stream) parts.push(part as object);
  return parts;
}

async function read(answer: vscode.LanguageModelChatResponse) {
  const parts = await all(answer);
  return {
    texts: parts.flatMap((part) => (part instanceof vscode.LanguageModelTextPart ? [part.value] : [])),
    calls: parts.flatMap((part) => (part instanceof vscode.LanguageModelToolCallPart ? [part] : [])),
    data: parts.flatMap((part) => (part instanceof vscode.LanguageModelDataPart ? [part] : [])),
  };
}

/** The parts of an answer that may be cancelled at any time. */
async function settled(asked: Thenable<vscode.LanguageModelChatResponse>): Promise<unknown[]> {
  try {
    return await all(await asked);
  } catch (error) {
    assert.ok(error instanceof Error);
    return [];
  }
}

async function failureOf(run: () => Promise<unknown>): Promise<vscode.LanguageModelError> {
  try {
    await run();
  } catch (error) {
    assert.ok(error instanceof vscode.LanguageModelError, String(error));
    return error;
  }
  return assert.fail("it was answered");
}
