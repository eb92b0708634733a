import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { exactText, toExact } from "../../../src/shared/money/exact.ts";
import type { TestSandbox } from "../../serviceKit/testSandbox.ts";
import { wholeText } from "../window.ts";
import type { Workbench } from "../workbench.ts";

/** Locators of the account views in a window. */
export function accountParts(workbench: () => Workbench) {
  const page = () => workbench().page;
  const input = () => page().locator(".quick-input-widget");
  const offered = (placeholder: string) => input().getByPlaceholder(placeholder).waitFor();
  const status = () => page().locator('[id="inference-workbench.inference-workbench.inference.connection"]');
  const openAccount = async () => {
    await workbench().runCommand("View: Show Inference Account");
    await page().locator(".part.sidebar .pane-header").filter({ hasText: "Usage" }).waitFor();
  };
  return {
    /** Shows the account views in the side bar instead of the chat. */
    openAccount,
    /** The total in the status bar. */
    spend: () => page().locator('[id="inference-workbench.inference-workbench.inference.spend"]'),
    async switchTo(connection: string) {
      const row = input()
        .locator(".monaco-list-row")
        .filter({ has: page().getByText(connection, { exact: true }) })
        .first();
      // A loaded view takes the focus, which closes the list.
      const isPicked = async () => {
        await status().click();
        await offered("Select a service");
        return row.click({ timeout: 5_000 }).then(
          () => true,
          () => false,
        );
      };
      for (let tries = 0; tries < 4 && !(await isPicked()); tries++);
      await status().getByText(connection).waitFor();
    },
    /** The input box or list at the top. */
    input,
    asked: (text: string) => input().getByText(text).first().waitFor(),
    offered,
    /** Exports the last seven days as CSV into the open folder and returns the rows. */
    async exportCsv() {
      // The palette has the command beside these views and the dashboard.
      await openAccount();
      await workbench().runCommand("Inference Account: Export Usage…");
      await offered("Select the days (UTC)");
      await workbench().pick("Last 7 days");
      await offered("Select the format");
      await workbench().pick("CSV");
      await input().locator("input.input").waitFor();
      await input().getByRole("button", { name: "OK" }).click();
      await workbench()
        .notifications.getByText(/usage-.*\.csv contains \d+ records, \$0\.0/)
        .waitFor();
      const folder = workbench().profile.workspace;
      const [name = ""] = readdirSync(folder).filter((file) => /^usage-.*\.csv$/.test(file));
      const lines = readFileSync(join(folder, name), "utf8").trimEnd().split("\r\n");
      return lines.slice(1).map((line) => line.split(","));
    },
    dialog: () => page().locator(".monaco-dialog-box"),
    /** The title of a view in the side bar. */
    section: (name: string) => page().locator(".part.sidebar .pane-header").filter({ hasText: name }).first(),
    /** A row of a tree in the side bar, by its label: the end of a key's secret, beside it, may contain any text. */
    row: (label: string) =>
      page()
        .locator(".part.sidebar .monaco-list-row")
        .filter({ has: page().locator(".label-name", { hasText: wholeText(label) }) })
        .first(),
  };
}

/** The account as the service stores it. */
export function accountAt(service: () => TestSandbox) {
  const get = async (path: string) => {
    const { baseUrl, apiKey } = service();
    const reply = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${apiKey}` } });
    return ((await reply.json()) as { data: unknown }).data;
  };
  return {
    ledger: async () => (await get("/billing/usage?limit=500")) as LedgerEntry[],
    keys: async () => (await get("/api_keys")) as ListedKey[],
  };
}

/** A charge is a negative amount. */
interface LedgerEntry {
  readonly amount: number;
  readonly currency: string;
  readonly inferenceDetails: { readonly requestId: string } | null;
}

export function requestIdOf({ inferenceDetails }: LedgerEntry): string {
  return inferenceDetails?.requestId ?? "none";
}

interface ListedKey {
  readonly description: string;
  readonly consumptionLimits: { readonly usd: number | null };
}

export function totalOf(entries: readonly { readonly amount: number | string }[]): string {
  return exactText(entries.reduce((sum, { amount }) => sum - toExact(amount), 0n));
}
