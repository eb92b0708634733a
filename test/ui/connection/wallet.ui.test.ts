import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { testWallet, testWalletKey } from "../../contract/suite/signInKit.ts";
import { startTestSandbox, type TestSandbox } from "../../serviceKit/testSandbox.ts";
import { editorState, root } from "../../tools/paths.ts";
import { accountParts } from "../account/parts.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";

const notebook = ["---", "network: base-mainnet", "---", "", "```rpc", "eth_blockNumber", "```", ""].join(
  "\n",
);

/** The icon of a running or pending cell. */
const waiting = ".codicon-notebook-state-pending, .codicon-notebook-state-executing";

/** The guide's script and the key of the tests, in a folder below the project, which has viem. */
function writeProgram(): {
  readonly folder: string;
  readonly command: (domain: string) => readonly string[];
} {
  const folder = join(editorState, "wallet-program");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const page = readFileSync(join(root, "media/docs/24-wallet.md"), "utf8");
  const [, code = ""] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
  const [script, key] = [join(folder, "sign.mjs"), join(folder, "key")];
  writeFileSync(script, code);
  writeFileSync(key, testWalletKey, { mode: 0o600 });
  return { folder, command: (domain) => [process.execPath, script, domain, key] };
}

describe("paying with a wallet", () => {
  let service: TestSandbox;
  let workbench: Workbench;
  const program = writeProgram();
  const intruder = join(program.folder, "intruder");
  before(async () => {
    // Enough for three calls.
    service = await startTestSandbox({ dialect: "venice", walletUsd: 0.00004, nodes: false });
    const { host } = new URL(service.baseUrl);
    const evil = ["/bin/sh", "-c", `touch ${intruder}`];
    workbench = await openWorkbench(
      "wallet",
      { "inference.wallet.command": program.command(host) },
      {},
      {
        "paid.rpc.md": notebook,
        ".vscode/settings.json": JSON.stringify({ "inference.wallet.command": evil }),
      },
    );
    await workbench.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  });
  after(async () => {
    await workbench.close();
    await service.close();
  });

  const status = () =>
    workbench.page.locator('[id="inference-workbench.inference-workbench.inference.connection"]');
  const output = () =>
    workbench.page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");
  const paidCalls = () => service.requests.filter(({ path }) => path.includes("/crypto/rpc/base"));

  it("proves the program before anything is stored, and says which calls the wallet pays", async () => {
    await workbench.runCommand("Inference Connection: Switch Service…");
    await workbench.pick("Sign In with a Wallet…");
    await workbench.pick("Another Service…");
    await workbench.pick("Other…");
    await workbench.enter("Address of the service", service.baseUrl.replace("/api/v1", ""));
    await workbench.enter("Name of this connection", "Paid");
    await workbench.enter("Address of the wallet", testWallet.address);
    await workbench.screenshot("wallet-signer");
    await workbench.pick("A Program of Mine");
    await workbench.notifications.getByText("are now paid by 0xf39F…2266").waitFor();
    await status().getByText("Paid").waitFor();
    assert.equal(service.requests.filter(({ headers }) => "authorization" in headers).length, 0);
    await status().click();
    await workbench.page
      .locator(".quick-input-widget")
      .getByText("chain calls, speech and picture edits by 0xf39F…2266, your program signs")
      .waitFor();
    await workbench.screenshot("wallet-list");
    await workbench.page.keyboard.press("Escape");
  });

  it("pays for the calls of a notebook until its balance is used up, and then shows how to top up", async () => {
    await workbench.openFile("paid.rpc.md");
    await workbench.page.locator(".cell-statusbar-container").getByText("1 call · 20 credits").waitFor();
    const card = output().getByRole("region", { name: "How to top up the wallet" });
    for (let count = 0; count < 4; count++) {
      const answered = service.nextRequest({ path: "/crypto/rpc/base-mainnet" });
      await workbench.runCommand("Notebook: Run All");
      await (await answered).ended;
      // A running cell is not started again.
      await workbench.page.locator(waiting).first().waitFor({ state: "hidden" });
    }
    await card.waitFor();
    assert.deepEqual(
      paidCalls().map(({ status: code }) => code),
      [200, 200, 200, 402],
    );
    await card.getByText("Balance 0 USD").waitFor();
    for (const text of ["5 USDC", "Base Sepolia, a test network (base-sepolia)"])
      await card.getByText(text, { exact: true }).waitFor();
    for (const theme of ["dark", "light", "hc"] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`wallet-card-${theme}`);
    }
    await workbench.setTheme("dark");
    await card.getByRole("button", { name: "Copy address" }).click();
    await card.getByRole("button", { name: "Copied" }).waitFor();
    const copied = String(await workbench.page.evaluate("navigator.clipboard.readText()"));
    assert.equal(copied, "0x000000000000000000000000000000000000dEaD");
  });

  it("runs the user's program alone: a workspace's settings can't name another one", () => {
    assert.ok(paidCalls().length > 0);
    assert.equal(existsSync(intruder), false);
  });

  it("shows balance and transactions of the wallet on a click, and nothing before", async () => {
    const asked = () => service.requests.filter(({ path }) => path.includes("/x402/"));
    const panes = workbench.page.locator(".part.sidebar");
    await accountParts(() => workbench).openAccount();
    const row = panes.getByText("Wallet 0xf39F…2266");
    await row.waitFor();
    assert.equal(asked().length, 0);
    await row.click();
    await panes.getByText("$0, read").waitFor();
    await row.click();
    await panes.getByText("Top-up", { exact: true }).waitFor();
    await workbench.screenshot("wallet-account");
    assert.deepEqual(
      asked().map(({ status: code }) => code),
      [200, 200],
    );
  });

  it("can be removed, and then the calls need a key", async () => {
    await status().click();
    await workbench.pick("Remove a Wallet…");
    const dialog = workbench.page.locator(".monaco-dialog-box");
    await dialog.getByRole("button", { name: "Remove Wallet" }).click();
    await dialog.waitFor({ state: "hidden" });
    await workbench.openFile("paid.rpc.md");
    await workbench.runCommand("Notebook: Run All");
    await output().getByText("No key is stored for").first().waitFor();
    assert.equal(paidCalls().length, 4);
  });
});
