import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { mnemonicToAccount } from "viem/accounts";
import { openWorkbench, type Workbench } from "../workbench.ts";

const address = "0x00000000000000000000000000000000000000aa";
const curl = `curl https://rpc.invalid/v1/crypto/rpc/polygon-amoy -H 'Authorization: Bearer pasted-canary' -d '{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice","params":[]}'`;
const requests = [
  "### The head",
  "POST https://rpc.invalid/v1/crypto/rpc/base-mainnet HTTP/1.1",
  "Authorization: Bearer imported-canary",
  "Content-Type: application/json",
  "",
  '{ "jsonrpc": "2.0", "id": 1, "method": "eth_blockNumber", "params": [] }',
  "",
  "### A balance",
  `cast rpc eth_getBalance ${address} latest`,
  "",
].join("\n");
const stored = [
  "# Kept",
  "",
  "```rpc name=head",
  "eth_blockNumber",
  "```",
  "",
  "```rpc",
  "eth_gasPrice",
  "```",
  "",
].join("\n");

/** The icon of a running or pending cell. */
const waiting = ".codicon-notebook-state-pending, .codicon-notebook-state-executing";

describe("cells of the RPC notebook", () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench(
      "rpc-cells",
      { "inference.sandbox.autoStart": true, "inference.rpc.askAboveCredits": 100 },
      {},
      { "requests.http": requests, "kept.rpc.md": stored },
    );
    await workbench.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  });
  after(() => workbench.close());

  const notebook = () => workbench.page.locator(".notebookOverlay");
  const cells = () => notebook().locator(".cell-statusbar-container");
  const dialog = () => workbench.page.locator(".monaco-dialog-box");
  const output = () =>
    workbench.page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");
  const editorOf = (text: string) =>
    notebook().locator(".monaco-editor .view-lines", { hasText: text }).first();
  /** Replaces the text of the cell. */
  const replace = async (old: string, text: string) => {
    await editorOf(old).click();
    await workbench.page.keyboard.press("ControlOrMeta+A");
    await workbench.page.keyboard.insertText(text);
  };
  const clipboard = async () => String(await workbench.page.evaluate("navigator.clipboard.readText()"));
  /** What the price of a run tells a screen reader. */
  const spent = (credits: number) => workbench.page.locator(`[aria-label*="spent ${credits} today"]`).first();
  const openStored = async () => {
    await workbench.openFile("kept.rpc.md");
    await cells().getByText("ethereum-mainnet").first().waitFor();
  };

  it("asks before a run above the configured price; declining sends nothing", async () => {
    const { page } = workbench;
    await workbench.runCommand("Inference RPC: New Chain Notebook");
    await cells().getByText("2 calls · 40 credits").waitFor();
    await replace("eth_blockNumber", "trace_block latest\n".repeat(3));
    await cells().getByText("3 calls · 120 credits").waitFor();
    await workbench.runCommand("Notebook: Run All");
    await dialog().getByText("This run costs up to 120 credits").waitFor();
    await workbench.screenshot("rpc-ask-credits");
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await dialog().waitFor({ state: "hidden" });
    // A running cell is not started again.
    await notebook().locator(waiting).first().waitFor({ state: "hidden" });
    await spent(0).waitFor();
    await workbench.runCommand("Notebook: Run All");
    await dialog().getByRole("button", { name: "Run", exact: true }).click();
    await page
      .getByLabel(/spent (1[0-9]+|[2-9][0-9]+)\b/)
      .first()
      .waitFor();
  });

  it("shows the effect of a transaction before a main network; neither Enter nor Escape sends it", async () => {
    const account = mnemonicToAccount("test test test test test test test test test test test junk", {
      addressIndex: 7,
    });
    const raw = await account.signTransaction({
      to: address,
      value: 10n ** 16n,
      nonce: 0,
      gas: 21_000n,
      maxFeePerGas: 5_000_000_000n,
      chainId: 1,
      type: "eip1559",
    });
    await replace("trace_block", `send ${raw}`);
    await cells().getByText("1 call · 40 credits").waitFor();
    await workbench.runCommand("Notebook: Run All");
    await dialog().getByText("Send this transaction to ethereum-mainnet of the sandbox?").waitFor();
    for (const text of [
      "Value: 0.01 ETH",
      "Fee: at most 0.000105 ETH",
      "Chain: 1",
      `From: ${account.address}`,
      "Nonce: 0, the next one",
      "The sandbox is on this machine: nothing reaches the real network.",
    ])
      await dialog().getByText(text).waitFor();
    const buttons = dialog().locator(".dialog-buttons .monaco-button:visible");
    // Their order is that of the system. One of them says no.
    assert.deepEqual((await buttons.allInnerTexts()).sort(), ["Copy Details", "Don't Send", "Send"]);
    await workbench.screenshot("rpc-ask-transaction");
    // Enter copies the question, which is asked again.
    for (let press = 0; press < 3; press++) {
      await workbench.page.evaluate("navigator.clipboard.writeText('')");
      await dialog().locator(":focus", { hasText: "Copy Details" }).waitFor();
      await workbench.page.keyboard.press("Enter");
      let copied = "";
      while (!copied.includes(`From: ${account.address}\n`)) copied = await clipboard();
      await dialog().getByText("Value: 0.01 ETH").waitFor();
    }
    await workbench.page.keyboard.press("Escape");
    await output().getByText("It was not sent, because you declined").waitFor();
    await notebook().locator(waiting).first().waitFor({ state: "hidden" });
    await workbench.runCommand("Notebook: Run All");
    await dialog().getByRole("button", { name: "Don't Send", exact: true }).click();
    await dialog().waitFor({ state: "hidden" });
    await notebook().locator(waiting).first().waitFor({ state: "hidden" });
    await workbench.runCommand("Notebook: Run All");
    await dialog().getByRole("button", { name: "Send", exact: true }).click();
    // A sender without funds is refused by the chain, which costs an error item more.
    await output()
      .getByText(/^\d requests? · (2[1-9]|4\d) credits/)
      .waitFor();
    await workbench.screenshot("rpc-sent");
  });

  it("copies a cell for other tools, with the key as a variable", async () => {
    await replace("send 0x", `eth_getBalance ${address} latest`);
    const forms = {
      curl: "curl http",
      cast: "cast rpc eth_getBalance",
      viem: "createPublicClient",
      Python: "urllib",
    };
    for (const [form, expected] of Object.entries(forms)) {
      await workbench.runCommand("Inference RPC: Copy Cell As…");
      if (form === "curl") await workbench.screenshot("rpc-copy-as");
      await workbench.pick(form);
      let text = "";
      while (!text.includes(expected)) text = await clipboard();
      assert.match(text, /INFERENCE_API_KEY/);
      assert.match(text, /crypto\/rpc\/ethereum-mainnet/);
      assert.doesNotMatch(text, /sk-|Bearer [A-Za-z0-9_-]{20}/);
    }
  });

  it("converts a pasted curl command into a request without its key", async () => {
    const { page } = workbench;
    // The hover of the last click's target covers the cell.
    await page.mouse.move(0, 0);
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(curl)})`);
    await editorOf("eth_getBalance").click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.press("ControlOrMeta+V");
    await editorOf("@network polygon-amoy").waitFor();
    await cells().getByText("polygon-amoy").waitFor();
    await cells().getByText("1 call · 20 credits").waitFor();
    await workbench.screenshot("rpc-paste");
    assert.equal(await notebook().getByText("pasted-canary").count(), 0);
  });

  it("a command for another network gets its own cell; a signing command loses its key", async () => {
    const { page } = workbench;
    const paste = async (text: string) => {
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
      await editorOf("eth_gasPrice").click();
      await page.keyboard.press("ControlOrMeta+End");
      await page.keyboard.press("Enter");
      await page.keyboard.press("ControlOrMeta+V");
    };
    await paste(`cast nonce ${address} --rpc-url https://mainnet.base.org/pasted-canary`);
    await editorOf("@network base-mainnet").waitFor();
    await editorOf("eth_getTransactionCount").waitFor();
    await cells().getByText("polygon-amoy").waitFor();
    await paste(`cast send ${address} --value 1 --private-key 0xpasted-canary`);
    await editorOf("# Not converted: cast send").waitFor();
    await workbench.screenshot("rpc-paste-withheld");
    await editorOf("eth_getTransactionCount").click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.evaluate(
      `navigator.clipboard.writeText("cast chain-id --rpc-url https://node.example/pasted-canary")`,
    );
    await page.keyboard.press("ControlOrMeta+V");
    const list = page.locator(".quick-input-widget");
    await list.getByText("Which network does node.example serve?").waitFor();
    await workbench.screenshot("rpc-paste-which-network");
    await page.keyboard.press("Escape");
    await cells().getByText("choose-network").waitFor();
    await cells().getByText("choose-network").click();
    await list.locator("input.input").fill("linea-sepolia");
    await list.locator(".monaco-list-row", { hasText: "linea-sepolia" }).click();
    await editorOf("@network linea-sepolia").waitFor();
    assert.equal(await notebook().getByText("pasted-canary").count(), 0);
  });

  it("converts the requests of a .http file into cells with their networks, without their keys", async () => {
    const { page, profile } = workbench;
    await workbench.runCommand("Inference RPC: Import Requests…");
    await workbench.choosePath(join(profile.workspace, "requests.http"));
    await cells().getByText("base-mainnet").waitFor();
    await editorOf('"method": "eth_blockNumber"').waitFor();
    await editorOf(`eth_getBalance ${address}`).waitFor();
    await workbench.screenshot("rpc-import");
    assert.equal(await page.getByText("imported-canary").count(), 0);
  });

  it("restores results when the file is opened again, and after a reload", async () => {
    await workbench.runCommand("View: Close All Editors");
    const unsaved = dialog().getByRole("button", { name: "Don't Save" });
    await unsaved.click();
    await openStored();
    await workbench.runCommand("Notebook: Run All");
    await spent(40).waitFor();
    await output().getByText("20 credits").nth(1).waitFor();
    await workbench.runCommand("View: Close All Editors");
    await output().getByText("20 credits").first().waitFor({ state: "detached" });
    await openStored();
    await output().getByText("20 credits").nth(1).waitFor();
    await workbench.screenshot("rpc-restored");
    await workbench.reload();
    await openStored();
    await output().getByText("20 credits").nth(1).waitFor();
    assert.equal(await workbench.page.locator(".tab.dirty").count(), 0);
    assert.equal(readFileSync(join(workbench.profile.workspace, "kept.rpc.md"), "utf8"), stored);
  });

  it("compares a later run with the one before it, and lists past runs", async () => {
    await editorOf("eth_blockNumber").click();
    await workbench.runCommand("Notebook: Run All");
    await spent(80).waitFor();
    const compare = output().getByRole("button", { name: "Compare with the previous run" }).first();
    await compare.click();
    await workbench.page.locator(".tab.active", { hasText: "Previous run ↔ this run" }).waitFor();
    await workbench.screenshot("rpc-restored-diff");
    await workbench.runCommand("View: Close Editor");
    await editorOf("eth_blockNumber").click();
    await workbench.runCommand("Inference RPC: Show Past Runs of Cell…");
    const rows = workbench.page.locator(".quick-input-list .monaco-list-row");
    await rows.nth(1).waitFor();
    await workbench.screenshot("rpc-history");
    await rows.nth(1).click();
    await workbench.page.locator(".tab.active", { hasText: "↔ newest run" }).waitFor();
    await workbench.runCommand("View: Close Editor");
  });

  it("keeps the results of the remaining cells after an external change of the file", async () => {
    const path = join(workbench.profile.workspace, "kept.rpc.md");
    writeFileSync(path, stored.replace("eth_gasPrice", "eth_chainId"));
    await editorOf("eth_chainId").waitFor();
    await output().getByText("20 credits").first().waitFor();
    await workbench.screenshot("rpc-changed-elsewhere");
  });
});
