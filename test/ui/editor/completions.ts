import { before, it } from "node:test";
import { sampleCode } from "../../../src/shared/names/sampleCode.ts";
import type { Workbench } from "../workbench.ts";

export const completionFiles = {
  "calls.ts": sampleCode,
  ".env": "\n",
};
export const completionSettings = {
  "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
};

/** Tests with the sandbox. */
export function completionTests(opened: () => Workbench): void {
  let workbench: Workbench;
  before(() => {
    workbench = opened();
  });

  const line = () => workbench.page.locator(".view-line", { hasText: /^console\.log\(greet\("Ada"\)\);$/ });
  /** The line as the user sees it while its end is ghost text. */
  const ghost = () => line().filter({ has: workbench.page.locator(".ghost-text-decoration") });
  const status = () =>
    workbench.page.locator(
      '.statusbar-item[id="inference-workbench.inference-workbench.inference.completions"]',
    );
  const openFile = async (name: string) => {
    await workbench.runCommand("Go to File...");
    await workbench.page.locator(".quick-input-widget input.input").fill(name);
    await workbench.pick(name);
  };
  const typeInto = async (line: number, text: string) => {
    await workbench.runCommand("Go to Line/Column...");
    await workbench.page.locator(".quick-input-widget input.input").fill(`:${line}:100`);
    await workbench.page.keyboard.press("Enter");
    await workbench.page.keyboard.type(text);
  };

  it("are switched on by their command, which names model and price", async () => {
    await openFile("calls.ts");
    await workbench.runCommand("Inference Completions: Configure…");
    await workbench.page
      .getByText("Guide · $0.20 in, $0.80 out per million tokens, play money")
      .first()
      .waitFor();
    await workbench.screenshot("completions-menu");
    await workbench.pick("Turn On");
    await status().getByText("Completions on").waitFor();
    await workbench.page
      .locator('[aria-label="Inline completions: Completions on, $0.00 play money today"]')
      .first()
      .waitFor();
  });

  it("show ghost text while the user types, and Tab accepts it", async () => {
    await typeInto(sampleCode.split("\n").length, "c");
    await ghost().waitFor();
    await workbench.screenshot("completions-ghost");
    for (const letter of ["o", "n"]) {
      await workbench.page.keyboard.type(letter);
      await ghost().waitFor();
    }
    await workbench.page.keyboard.press("Tab");
    await line().waitFor();
    await ghost().waitFor({ state: "detached" });
  });

  it("count what was accepted, and its cost, in the dashboard", async () => {
    await workbench.runCommand("Inference Account: Open Usage Dashboard");
    const table = workbench.webview("tab").getByRole("region", { name: "Inline completions", exact: true });
    await table
      .getByRole("row", { name: /^Today \d+ 1 1 \(100 %\) 3 .*DIEM play money .*DIEM play money$/ })
      .waitFor();
    await table.scrollIntoViewIfNeeded();
    await workbench.screenshot("completions-dashboard");
  });

  it("show their cost behind the items of the status bar", async () => {
    await status().hover();
    await workbench.page.getByText("In the last hour").first().waitFor();
    await workbench.page
      .getByText(/Today \(UTC\): (at most )?[\d.]+ DIEM play money/)
      .first()
      .waitFor();
    await workbench.page.keyboard.press("Escape");
    await workbench.page.locator('[id="inference-workbench.inference-workbench.inference.spend"]').hover();
    await workbench.page.getByText("Inline completions today").first().waitFor();
    await workbench.screenshot("completions-status");
  });
}
