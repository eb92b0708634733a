import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { networksInHead, readDocument } from "../../../src/rpc/file/readDocument.ts";
import { environment } from "../../../src/shared/names/ids.ts";
import { networks } from "../../../src/shared/rpc/networks.ts";
import { startTestSandbox, type TestSandbox } from "../../serviceKit/testSandbox.ts";
import { root } from "../../tools/paths.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";

const folder = join(root, "media", "notebooks");
interface Shown {
  /** File name without its ending. */
  readonly picture: string;
  readonly title: string;
  /** Number of its cells that run. */
  readonly requests: number;
  /** False if the sandbox's dialect does not have its network. */
  readonly isOffered: boolean;
}

const gallery: readonly Shown[] = readdirSync(folder)
  .sort()
  .map((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    const [, title = ""] = /^# (.*)$/m.exec(text) ?? [];
    const { head, cells } = readDocument(text);
    const requests = cells.filter(({ kind }) => kind === "request").length;
    const isOffered = !networks.some(
      ({ slug, veniceOnly }) => veniceOnly && networksInHead(head).includes(slug),
    );
    return { picture: file.replace(/\.rpc\.md$/, ""), title, requests, isOffered };
  });
/** Notebooks whose cells all end; one polls the gas price for two minutes. */
const [watch, balances, ...others] = gallery as [Shown, Shown, ...Shown[]];
const poll = (network: string) =>
  `\`\`\`rpc\n@network ${network}\n@every 1s\n@times 1000\neth_blockNumber\n\`\`\`\n`;

const tall = { width: 1280, height: 3200 };

describe("the gallery of RPC notebooks", () => {
  let service: TestSandbox;
  let workbench: Workbench;
  before(async () => {
    service = await startTestSandbox({ apiKey: "ui-rpc-gallery-key-canary", limits: "none" });
    workbench = await openWorkbench(
      "rpc-gallery",
      { "inference.rpc.askAboveCredits": 100_000 },
      { [environment.key]: service.apiKey, [environment.baseUrl]: service.baseUrl },
      { "closed.rpc.md": poll("base-mainnet"), "open.rpc.md": poll("polygon-amoy") },
    ).catch(async (error) => {
      await service.close();
      throw error;
    });
    // The window is tall enough for all cells of a notebook and their outputs.
    await workbench.page.setViewportSize(tall);
  });
  after(async () => {
    await workbench.close();
    await service.close();
  });

  const notebook = () => workbench.page.locator(".notebookOverlay");
  const output = () =>
    workbench.page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");
  const cells = () => notebook().locator(".cell-statusbar-container");
  const state = (name: string) => notebook().locator(`.codicon-notebook-state-${name}`);
  const open = async ({ title, picture }: Shown) => {
    await workbench.runCommand("Inference RPC: Open Notebook from Gallery…");
    const rows = workbench.page.locator(".quick-input-list .monaco-list-row");
    await rows.nth(gallery.length - 1).waitFor();
    await workbench.pick(title);
    await workbench.page.locator(".tab.active", { hasText: picture }).waitFor();
    await notebook().locator(".monaco-editor .view-lines").first().waitFor();
  };
  const closeUnsaved = async () => {
    await workbench.runCommand("View: Close Editor");
    await workbench.page.locator(".monaco-dialog-box").getByRole("button", { name: "Don't Save" }).click();
    await workbench.page.locator(".monaco-dialog-box").waitFor({ state: "hidden" });
  };
  const empty = () => workbench.page.locator(".editor-group-container.empty");

  for (const one of [balances, ...others].filter(({ isOffered }) => isOffered)) {
    const { picture, title, requests } = one;
    it(`${title}: runs to its end`, async () => {
      await open(one);
      await workbench.runCommand("Notebook: Run All");
      await state("success")
        .nth(requests - 1)
        .waitFor();
      assert.equal(await state("success").count(), requests);
      assert.equal(await state("error").count(), 0);
      assert.equal(await output().locator(".failure").count(), 0);
      await workbench.screenshot(`rpc-gallery-${picture}`);
      await closeUnsaved();
    });
  }

  for (const one of others.filter(({ isOffered }) => !isOffered)) {
    it(`${one.title}: says that the service does not have its network`, async () => {
      await open(one);
      await workbench.runCommand("Notebook: Run All");
      await output().getByText("is not a network of this service").first().waitFor();
      await closeUnsaved();
    });
  }

  it(`${watch.title}: shows each round before the next`, async () => {
    await open(watch);
    await cells().getByText("3 calls · 60 credits").waitFor();
    await workbench.runCommand("Notebook: Run All");
    await output()
      .getByText(/Round \d+ of 10/)
      .waitFor();
    await state("success")
      .nth(watch.requests - 2)
      .waitFor();
    assert.equal(await state("error").count(), 0);
    await workbench.screenshot(`rpc-gallery-${watch.picture}`);
  });

  it("a polling notebook does not block another one", async () => {
    await open(balances);
    await workbench.runCommand("Notebook: Run All");
    await output().getByText("80 credits").first().waitFor();
    await closeUnsaved();
    await output()
      .getByText(/Round \d+ of 10/)
      .waitFor();
    await closeUnsaved();
  });

  it("a closed notebook stops polling", async () => {
    const asked = (network: string) =>
      service.requests.filter(({ path }) => path.endsWith(`/crypto/rpc/${network}`)).length;
    const rounds = async (network: string, count: number) => {
      for (let left = count; left > 0; left--) {
        await service.nextRequest({ method: "POST", path: `/crypto/rpc/${network}` });
      }
    };
    const run = async (name: string, network: string, count: number) => {
      await workbench.openFile(name);
      await notebook().locator(".monaco-editor .view-lines").first().waitFor();
      const done = rounds(network, count);
      await workbench.runCommand("Notebook: Run All");
      await done;
    };
    await run("closed.rpc.md", "base-mainnet", 2);
    await workbench.runCommand("View: Close All Editors");
    await empty().waitFor();
    await run("open.rpc.md", "polygon-amoy", 1);
    const before = asked("base-mainnet");
    // By now the closed notebook would have polled as often.
    await rounds("polygon-amoy", 4);
    assert.equal(asked("base-mainnet"), before);
    await workbench.runCommand("View: Close All Editors");
    await empty().waitFor();
  });
});
