import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestSandbox, type TestSandbox } from "../../serviceKit/testSandbox.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";

describe("signing in", () => {
  let service: TestSandbox;
  let workbench: Workbench;
  before(async () => {
    service = await startTestSandbox({ apiKey: "ui-test-key-canary" });
    workbench = await openWorkbench("connection");
  });
  after(async () => {
    await workbench.close();
    await service.close();
  });

  const address = () => service.baseUrl.replace("/api/v1", "");
  const input = () => workbench.page.locator(".quick-input-widget");
  const message = () => input().locator(".quick-input-message");
  const status = () =>
    workbench.page.locator('[id="inference-workbench.inference-workbench.inference.connection"]');
  const asked = (text: string) => input().getByText(text).first().waitFor();
  const offered = (placeholder: string) => input().getByPlaceholder(placeholder).waitFor();

  it("offers known services, a custom address, and the dialect last", async () => {
    await workbench.openSideBar();
    await workbench.page.getByRole("button", { name: "Set API Key" }).click();
    await offered("Select a service");
    const rows = await input().locator(".quick-input-list .monaco-list-row").allInnerTexts();
    assert.deepEqual(
      rows.map((text) => text.split("\n")[0]),
      ["Venice", "Other…", "Advanced: Dialect…Auto"],
    );
    await workbench.screenshot("connection-services");
    await workbench.pick("Advanced: Dialect…");
    await offered("Dialect of the service");
    await workbench.pick("Auto");
    await offered("Select a service");
  });

  it("refuses an invalid address and keeps the typed text", async () => {
    await workbench.pick("Other…");
    await workbench.enter("Address of the service", "http://api.example.com");
    await message().getByText("The key would be sent unencrypted").waitFor();
    assert.equal(await input().locator("input.input").inputValue(), "http://api.example.com");
    await workbench.screenshot("connection-bad-address");
  });

  it("checks the key at the service before it stores anything", async () => {
    await workbench.enter("The key would be sent unencrypted", `${address()}/wrong/path`);
    await workbench.enter("API key for", "not-the-key");
    await message().getByText(`${address()}/wrong/path/api/v1/api_keys/rate_limits: HTTP 404`).waitFor();
    await workbench.screenshot("connection-wrong-path");
    await input().getByRole("button", { name: "Back" }).click();
    await workbench.enter("Address of the service", address());
    await workbench.enter("API key for", "not-the-key");
    await message().getByText("does not accept this key").waitFor();
    await workbench.screenshot("connection-bad-key");
    assert.deepEqual(
      service.requests.map(({ path, status }) => [path, status]),
      [
        ["/wrong/path/api/v1/api_keys/rate_limits", 404],
        ["/api/v1/api_keys/rate_limits", 401],
      ],
    );
  });

  it("accepts the right key, asks for a name, and shows it in the status bar", async () => {
    await workbench.enter("does not accept this key", "ui-test-key-canary");
    await workbench.enter("Name of this connection", "My service");
    await status().getByText("My service").waitFor();
    await workbench.screenshot("connection-signed-in");
  });

  it("diagnoses the connection between editor and service, without the key", async () => {
    await workbench.runCommand("Inference Connection: Diagnose Problems");
    const editor = workbench.page.locator(".editor-instance .view-lines");
    await editor.getByText("Connection diagnosis").waitFor();
    await editor.getByText("Key is accepted").waitFor();
    await workbench.screenshot("connection-diagnosis");
    assert.equal((await editor.innerText()).includes("canary"), false);
    // The report can be read and copied, and closes without a prompt to save.
    await editor.click();
    await workbench.page.keyboard.type("x");
    await workbench.page.getByText("Cannot edit in read-only editor").first().waitFor();
    await workbench.page.locator(".tab.active", { hasText: "Connection diagnosis" }).waitFor();
    assert.equal(await workbench.page.locator(".tab.active.dirty").count(), 0);
    await workbench.runCommand("View: Close Editor");
  });

  it("stays signed in after a reload", async () => {
    await workbench.reload();
    await workbench.openSideBar();
    await status().getByText("My service").waitFor();
    // The chat takes the focus when it is ready, which would close the lists of the tests that follow.
    await workbench.webview().locator("textarea:focus").waitFor();
  });

  it("renames, switches to the sandbox and back", async () => {
    await status().click();
    await offered("Select a service");
    await workbench.pick("Rename a Connection…");
    await offered("Select a connection");
    await workbench.pick("My service");
    await workbench.enter('New name of "My service"', "Renamed");
    await status().getByText("Renamed").waitFor();
    await status().click();
    await offered("Select a service");
    await workbench.screenshot("connection-switch");
    await workbench.pick("Sandbox");
    await status().getByText("Sandbox").waitFor();
    await status().click();
    await offered("Select a service");
    await workbench.pick("Renamed");
    await status().getByText("Renamed").waitFor();
  });

  it("never sends the key to another origin: a new address asks for its own key", async () => {
    const other = await startTestSandbox({ apiKey: "another-key" });
    try {
      await status().click();
      await offered("Select a service");
      await workbench.pick("Change a Base URL…");
      await offered("Select a connection");
      await workbench.pick("Renamed");
      await workbench.enter("New address of", other.baseUrl);
      await asked("API key for");
      assert.equal(other.requests.length, 0);
      await workbench.enter("API key for", "another-key");
      await input().waitFor({ state: "hidden" });
      const proved = other.requests.filter(({ path }) => path.endsWith("/rate_limits"));
      assert.deepEqual(
        proved.map(({ status }) => status),
        [200],
      );
    } finally {
      await other.close();
    }
  });

  it("asks, signs out, and shows the welcome view", async () => {
    await workbench.runCommand("Inference Connection: Sign Out…");
    await offered("Select a connection");
    await workbench.pick("Renamed");
    const dialog = workbench.page.locator(".monaco-dialog-box");
    await dialog.getByText('Sign out of "Renamed"?').waitFor();
    await workbench.screenshot("connection-sign-out");
    await dialog.getByRole("button", { name: "Sign Out" }).click();
    await status().getByText("No connection").waitFor();
    await workbench.page.locator(".part.sidebar").getByRole("button", { name: "Set API Key" }).waitFor();
    await workbench.screenshot("connection-signed-out");
  });
});
