import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { commands, settings, serviceToolNames as tools } from "../../../src/shared/names/ids.ts";

const configuration = () => vscode.workspace.getConfiguration();

describe("language model tools", () => {
  before(() => vscode.commands.executeCommand(commands.connectionUseSandbox));
  after(async () => {
    for (const setting of [settings.accountDayBudgetUsd, settings.accountBudgetHardStop])
      await configuration().update(setting, undefined, true);
  });

  it("are listed with their schema", () => {
    const own = vscode.lm.tools.filter(({ tags }) => tags.includes("inference-workbench"));
    assert.deepEqual(own.map(({ name }) => name).sort(), Object.values(tools).sort());
    for (const { name, inputSchema } of own)
      assert.equal(Reflect.get(inputSchema ?? {}, "type"), "object", name);
  });

  it("search, read, call chains, speak and tell the usage", async () => {
    assert.match(await text(tools.searchWeb, { query: "chat" }), /^# /);
    assert.match(
      await text(tools.callChain, { network: "ethereum-mainnet", method: "eth_chainId" }),
      /"0x1"/,
    );
    assert.match(await text(tools.speakText, { text: "Hello." }), /saved as .*play money/);
    assert.equal(JSON.parse(await text(tools.usage, {})).isPlayMoney, true);
  });

  it("make and change pictures, as image parts", async () => {
    const [, made] = await invoke(tools.generateImage, { prompt: "A boat" });
    assert.ok(made instanceof vscode.LanguageModelDataPart);
    const image = `data:${made.mimeType};base64,${Buffer.from(made.data).toString("base64")}`;
    const [, changed] = await invoke(tools.editImage, { prompt: "A red boat", image });
    assert.ok(changed instanceof vscode.LanguageModelDataPart);
    assert.match(changed.mimeType, /^image\//);
  });

  it("read a document of the workspace", async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    writeFileSync(join(folder.uri.fsPath, "harvest.txt"), "The harvest was good.\n");
    assert.match(await text(tools.parseDocument, { path: "harvest.txt" }), /harvest was good/);
    await assert.rejects(
      text(tools.parseDocument, { path: "../x.txt" }),
      /not a path relative to the workspace/,
    );
  });

  it("refuse an input by path and rule", async () => {
    await assert.rejects(text(tools.searchWeb, { query: "x", limit: 99 }), /limit 99 is above 20/);
    await assert.rejects(
      text(tools.readPage, { url: "ftp://example.org" }),
      /- url "ftp:\/\/example\.org" does not match/,
    );
    await assert.rejects(text(tools.readMore, { handle: "gone", offset: 0 }), /no longer kept/);
  });

  it("never send a transaction without consent", async () => {
    const send = (params: unknown[]) =>
      text(tools.callChain, { network: "ethereum-sepolia", method: "eth_sendRawTransaction", params });
    await assert.rejects(send(["0x02"]), /not a signed transaction/);
    // The editor shows no dialog in a test, so nobody consents.
    await assert.rejects(send([signedTransaction]), /declined|dialog/);
    await assert.rejects(
      text(tools.callChain, { network: "ethereum-sepolia", method: "eth_sendTransaction", params: [{}] }),
      /the node would sign/,
    );
  });

  it("end when they are cancelled", async () => {
    const source = new vscode.CancellationTokenSource();
    const running = invoke(tools.generateImage, { prompt: "A boat" }, source.token);
    source.cancel();
    await assert.rejects(running);
  });

  it("say that a budget is used up, and send nothing", async () => {
    await configuration().update(settings.accountBudgetHardStop, true, true);
    await configuration().update(settings.accountDayBudgetUsd, 0.000001, true);
    await assert.rejects(
      text(tools.searchWeb, { query: "chat" }),
      /Nothing was sent, because .*budget of this day/,
    );
  });
});

async function invoke(name: string, input: object, token?: vscode.CancellationToken) {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token);
  return content;
}

async function text(name: string, input: object): Promise<string> {
  const [first] = await invoke(name, input);
  assert.ok(first instanceof vscode.LanguageModelTextPart);
  return first.value;
}

/** 0.001 ETH on Sepolia, type 2, signed with a key that everybody knows. */
const signedTransaction =
  "0x02f87483aa36a780843b9aca00847735940082520894222222222222222222222222222222222222222287038d7ea4c6800080c001a0dac3dc56ee1fe13e338d7656f7351388e8ab0db83b0047db9f8e43eeaf74d060a069eedb2f858c4972322c76196bd73a086a6851eb40072493f1f0a837677f15ce";
