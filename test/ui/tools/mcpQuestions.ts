// The questions that an MCP client causes in the window. The client is the official one, over the shipped launcher.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { watch } from "node:fs/promises";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { parseEther, parseGwei } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { linkFolder } from "../../../src/shared/mcpLink.ts";
import { serviceToolNames } from "../../../src/shared/names/ids.ts";
import type { TestSandbox } from "../../serviceKit/testSandbox.ts";
import type { ChatWindow } from "../chat/openChat.ts";
import type { Workbench } from "../workbench.ts";

const search = { name: serviceToolNames.searchWeb, arguments: { query: "EIP-4844 blob gas price" } };

/** Tests in a window with the setting of the MCP server. */
export function mcpTests(window: ChatWindow): void {
  let service: TestSandbox;
  let workbench: Workbench;
  let searchesBefore = 0;
  const clients: Client[] = [];

  before(() => {
    ({ service, workbench } = window);
    searchesBefore = searches();
  });
  after(async () => {
    for (const client of clients) await client.close();
  });

  /** The script that clients start, once the window has written it. */
  const launcher = async (): Promise<string> => {
    const storage = join(workbench.profile.userData, "User", "globalStorage");
    const path = join(storage, "inference-workbench.inference-workbench", "mcp", linkFolder.launcher);
    const changes = watch(storage, { recursive: true })[Symbol.asyncIterator]();
    while (!existsSync(path)) await changes.next();
    await changes.return?.();
    return path;
  };
  const connect = async (name: string): Promise<Client> => {
    const client = new Client({ name, version: "1" });
    clients.push(client);
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [await launcher()], stderr: "pipe" }),
    );
    return client;
  };
  const question = () => workbench.page.locator(".quick-input-widget");
  const asks = (text: string | RegExp) => question().getByText(text).first().waitFor();
  const isClosed = () => question().waitFor({ state: "hidden" });
  const searches = () =>
    service.requests.filter(({ path }) => path.endsWith("/augment/search")).length - searchesBefore;
  const textOf = ({ content }: object & { content?: unknown }) =>
    (content as { text?: string }[]).map(({ text }) => text ?? "").join("\n");

  it("name the client, the call and its price; typed lines choose nothing, and Escape refuses", async () => {
    const client = await connect("Claude Code");
    const call = client.callTool(search);
    await asks("MCP client Claude Code asks: Search the web");
    await asks("Price: $0.01, paid at Environment.");
    await workbench.screenshot("mcp-question");
    for (const line of ["Allow", "for this", "a"]) {
      await workbench.page.keyboard.type(line);
      await workbench.page.keyboard.press("Enter");
    }
    await asks("Price: $0.01, paid at Environment.");
    assert.equal(searches(), 0);
    await workbench.page.keyboard.press("Escape");
    await isClosed();
    const result = await call;
    assert.equal(result.isError, true);
    assert.match(textOf(result), /refused/i);
    assert.equal(searches(), 0);
  });

  it("close when the client cancels", async () => {
    const [client] = clients;
    const cancel = new AbortController();
    const call = client?.callTool(search, undefined, { signal: cancel.signal });
    await asks("MCP client Claude Code asks");
    cancel.abort();
    await assert.rejects(async () => call, /abort/i);
    await isClosed();
    assert.equal(searches(), 0);
  });

  it("are not repeated to a client that is allowed, but to another one", async () => {
    const [client] = clients;
    const call = client?.callTool(search);
    await workbench.pick("Allow for This Client");
    await isClosed();
    assert.equal((await call)?.isError, false);
    assert.equal((await client?.callTool(search))?.isError, false);
    assert.equal(searches(), 2);
    const other = await connect("A client with a name so long that it does not fit into the title");
    const asked = other.callTool(search);
    await asks("MCP client A client with a name");
    await workbench.page.keyboard.press("Escape");
    assert.equal((await asked).isError, true);
    assert.equal(searches(), 2);
  });

  it("are asked again of a running client once its permission is revoked", async () => {
    await workbench.runCommand("Inference Connection: Permissions…");
    const line = question().locator(".monaco-list-row", { hasText: "Claude Code: " });
    await line.hover();
    await line.getByRole("button", { name: "Revoke" }).click();
    await asks("Revoked: Claude Code: ");
    await workbench.screenshot("permissions-revoked");
    await workbench.page.keyboard.press("Escape");
    await isClosed();
    const before = searches();
    const call = clients[0]?.callTool(search);
    await asks("MCP client Claude Code asks");
    await workbench.page.keyboard.press("Enter");
    assert.equal((await call)?.isError, true);
    assert.equal(searches(), before);
  });

  it("show a signed transaction decoded, each time", async () => {
    const account = privateKeyToAccount(`0x${"1".repeat(64)}`);
    const signed = await account.signTransaction({
      to: "0x52908400098527886E0F7030069857D2E4169EE7",
      value: parseEther("1.5"),
      chainId: 1,
      nonce: 7,
      gas: 21_000n,
      maxFeePerGas: parseGwei("30"),
    });
    const call = clients[0]?.callTool({
      name: serviceToolNames.callChain,
      arguments: { network: "ethereum-mainnet", method: "eth_sendRawTransaction", params: [signed] },
    });
    await asks("Send a transaction to ethereum-mainnet");
    await asks("To: 0x52908400098527886E0F7030069857D2E4169EE7");
    await asks("Value: 1.5 ETH");
    assert.equal(await question().getByText("Allow for This Client").count(), 0);
    await workbench.screenshot("mcp-transaction");
    await workbench.page.keyboard.press("Enter");
    assert.equal((await call)?.isError, true);
    assert.equal(service.requests.filter(({ path }) => path.includes("/crypto/rpc")).length, 0);
  });

  it("show a prompt as text", async () => {
    const call = clients[1]?.callTool({
      name: serviceToolNames.generateImage,
      arguments: { prompt: "A lighthouse $(trash) in fog\nat night" },
    });
    await asks("Generate a picture");
    await workbench.screenshot("mcp-question-prompt");
    await workbench.page.keyboard.press("Enter");
    assert.equal((await call)?.isError, true);
  });
}
