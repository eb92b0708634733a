// The pages of the interface in a browser, for the tests of the places.
import type { TestContext } from "node:test";
import type { Locator, Page } from "playwright-core";
import {
  createDashboardController,
  isUsageRequest,
} from "../../../../src/account/host/dashboard/dashboardController.ts";
import type { FromUsageView, ToUsageView } from "../../../../src/account/protocol/usageProtocol.ts";
import type { Api } from "../../../../src/api/call/client.ts";
import type { Table } from "../../../../src/api/table.ts";
import type { ToStudio } from "../../../../src/images/protocol/studioProtocol.ts";
import type { StudioState } from "../../../../src/images/protocol/studioState.ts";
import type { PlayerState, ToPlayer } from "../../../../src/speech/protocol/speechProtocol.ts";
import { connection } from "../../account/host/accountRows.ts";
import { noCalls } from "../../account/host/callLedgers.ts";
import { openChat, openView, serveChat } from "../../chat/chat.ts";
import { openApp } from "../../chat/openApp.ts";
import type { TestBrowser } from "../../webview/browser.ts";
import { openPage } from "../../webview/page.ts";
import { pageStyle } from "../../webview/pageStyle.ts";
import { studioState } from "../../webview/pages/studioStates.ts";
import { dataOf } from "../accountOfService.ts";
import type { FormName } from "../place.ts";
import { serviceOf } from "../service.ts";

declare const studioPage: { start(): void; hear(message: ToStudio): void };
declare const playerPage: { start(): void; hear(message: ToPlayer): void };
declare const dashboardPage: { start(): void; handle(message: ToUsageView): void };

/** The text of a page, or of one of its elements, with all that is hidden, and with the texts of the attributes in it. */
export async function pageText(page: Page, selector = "body"): Promise<string> {
  const attributes = ["title", "aria-label", "aria-description", "placeholder", "value"].map((name) =>
    page
      .locator(`${selector} [${name}]`)
      .evaluateAll((elements, of) => elements.map((one) => one.getAttribute(of)), name),
  );
  return [await page.locator(selector).textContent(), ...(await Promise.all(attributes)).flat()].join("\n");
}

const roles = ["textbox", "combobox", "spinbutton", "checkbox", "button", "searchbox", "radio"] as const;

/** The controls with this accessible name, those in closed groups included. */
export function controlsNamed(page: Page, name: string): Locator {
  const all = roles.map((role) => page.getByRole(role, { name, exact: true, includeHidden: true }));
  return all
    .reduce((found, one) => found.or(one))
    .or(page.locator(`input[type="date"][aria-label="${name}"]`));
}

/** A page in each state that shows other controls. */
type OpenForm = (t: TestContext, browser: TestBrowser, see: (page: Page) => Promise<void>) => Promise<void>;

const openChatForm: OpenForm = async (t, browser, see) => {
  const { controller } = openChat(t, await serveChat(t));
  const { page } = await openApp(browser, controller);
  await page.getByRole("button", { name: "Attach…" }).waitFor();
  await page.locator(".picker-button").click();
  await page
    .getByRole("textbox", { name: "Search models" })
    .or(page.getByLabel("Search models"))
    .first()
    .waitFor();
  await see(page);
};

const openSettings: OpenForm = async (t, browser, see) => {
  const { controller } = openChat(t, await serveChat(t));
  const view = await openView(controller);
  // These have controls of their own.
  await view.say("setSettings", { settings: { logprobs: true, schema: "{}" } });
  const { page } = await openApp(browser, controller);
  await page.getByRole("button", { name: /^Settings of This Chat/ }).click();
  await page.getByLabel("System prompt", { exact: true }).waitFor();
  await see(page);
};

const openStudio: OpenForm = async (_, browser, see) => {
  const { page } = await openPage(browser, "studioAppPage.tsx", pageStyle("studio"));
  await page.evaluate(() => studioPage.start());
  const show = async (way: StudioState["way"], controls: Partial<StudioState["controls"]>) => {
    const state = { ...studioState, way, controls: { ...studioState.controls, ...controls } };
    await page.evaluate((told: ToStudio) => studioPage.hear(told), { v: 1, type: "state", state } as const);
  };
  await show("edit", { resolutions: ["1K", "2K"], takesResolution: true });
  await page.getByRole("combobox", { name: "Resolution" }).waitFor();
  await see(page);
  await show("generate", { sizes: ["256x256"], ratios: [], takesResolution: false, qualities: [] });
  await page.getByRole("combobox", { name: "Size" }).waitFor();
  await see(page);
};

export const playerState: PlayerState = {
  service: "Service",
  isFree: false,
  models: [
    {
      id: "narrator",
      name: "Narrator",
      description: "",
      voices: ["ada"],
      formats: ["mp3", "wav"],
      style: "yes",
      temperature: "yes",
      topP: "yes",
      cloning: undefined,
      usdPerMillion: 15,
    },
  ],
  modelsProblem: "",
  choice: {
    modelId: "narrator",
    voice: "ada",
    format: "mp3",
    speed: 1,
    language: "",
    style: "",
    temperature: null,
    topP: null,
  },
  clonedVoices: [],
  characters: 10,
  totalUsd: 1,
  spentUsd: undefined,
  problem: undefined,
  isAway: false,
};

/** Draws the settings of the player in a page. */
export async function showPlayer(page: Page, state: PlayerState): Promise<void> {
  await page.evaluate((told: ToPlayer) => playerPage.hear(told), { v: 1, type: "state", state } as const);
  await page.getByRole("region", { name: "Voice and model" }).waitFor();
}

export async function openPlayer(browser: TestBrowser): Promise<Page> {
  const { page } = await openPage(browser, "playerAppPage.tsx", pageStyle("player"), true);
  await page.evaluate(() => playerPage.start());
  await page.getByRole("button", { name: "Voice and Model" }).click();
  return page;
}

const openPlayerForm: OpenForm = async (_, browser, see) => {
  const page = await openPlayer(browser);
  await showPlayer(page, playerState);
  await see(page);
};

/** The dashboard, which shows one service after the other. */
export async function openDashboard(browser: TestBrowser): Promise<(api: Api<Table>) => Promise<Page>> {
  const { page } = await openPage(browser, "dashboardPage.tsx", pageStyle("dashboard"));
  let account: Parameters<typeof createDashboardController>[0]["account"] = () => undefined;
  let count = 0;
  const controller = createDashboardController({
    account: () => account(),
    post: (message) => void page.evaluate((told) => dashboardPage.handle(told), message),
    report: () => {},
  });
  await page.exposeFunction("askHost", (sent: FromUsageView) => {
    if (isUsageRequest(sent)) void controller.handle(sent);
  });
  await page.setViewportSize({ width: 1400, height: 1600 });
  await page.evaluate(() => dashboardPage.start());
  return async (api) => {
    const named = { ...connection, name: `Service ${++count}` };
    const opened = {
      identity: named.name,
      connection: named,
      admin: named,
      data: dataOf(api),
      takeBill: async () => {},
      ledger: async () => noCalls,
      callsSince: async () => [],
    };
    account = () => opened;
    await controller.load();
    await page.getByRole("heading", { name: `Usage of ${named.name}` }).waitFor();
    return page;
  };
}

const openDashboardForm: OpenForm = async (_, browser, see) => {
  const show = await openDashboard(browser);
  const { api } = serviceOf({
    "billing.usage": { data: [], pagination: { limit: 1, page: 1, total: 0, totalPages: 1 } },
  });
  await see(await show(api));
};

export const forms: Readonly<Record<FormName, OpenForm>> = {
  chat: openChatForm,
  "chat settings": openSettings,
  "image studio": openStudio,
  "speech player": openPlayerForm,
  "usage dashboard": openDashboardForm,
};
