import { after, before } from "node:test";
import type { FrameLocator, Locator } from "playwright-core";
import { environment } from "../../../src/shared/names/ids.ts";
import { startTestSandbox, type TestSandbox, type TestSandboxOptions } from "../../serviceKit/testSandbox.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";

/** A window with the chat in its side bar, and its own service with configurable faults. */
export interface ChatWindow {
  readonly service: TestSandbox;
  readonly workbench: Workbench;
  chat(): FrameLocator;
  /** The box for a question. */
  prompt(chat?: FrameLocator): Locator;
  /** Types a question and sends it. */
  ask(question: string, chat?: FrameLocator): Promise<void>;
  /** Resolves once the last answer has ended. */
  answered(chat?: FrameLocator): Promise<void>;
  /** Takes NAME-THEME.png of the present state in each theme, in a narrow side bar and a wider one, which stays. */
  pictures(name: string): Promise<void>;
}

const looks = [
  ["dark", 260],
  ["hc", 260],
  ["light", 420],
] as const;

export interface ChatWindowOptions {
  readonly tokensPerSecond: number;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What the service finds. */
  readonly pages?: TestSandboxOptions["pages"];
  /** Runs before the side bar opens. */
  readonly prepare?: (workbench: Workbench) => void;
}

/** Opens the window for the tests of a suite. */
export function openChatWindow(name: string, options: ChatWindowOptions): ChatWindow {
  const { tokensPerSecond, settings = {}, pages, prepare } = options;
  let service: TestSandbox;
  let workbench: Workbench;
  const chat = () => workbench.webview();
  const prompt = (where = chat()) => where.getByRole("textbox", { name: "Your question" });
  before(async () => {
    service = await startTestSandbox({
      apiKey: `ui-${name}-key-canary`,
      tokensPerSecond,
      ...(pages && { pages }),
    });
    const env = { [environment.key]: service.apiKey, [environment.baseUrl]: service.baseUrl };
    workbench = await openWorkbench(name, settings, env);
    prepare?.(workbench);
    await workbench.openSideBar();
    await prompt().waitFor();
  });
  after(async () => {
    await workbench.close();
    await service.close();
  });
  return {
    get service() {
      return service;
    },
    get workbench() {
      return workbench;
    },
    chat,
    prompt,
    async ask(question, where = chat()) {
      await prompt(where).fill(question);
      await prompt(where).press("Enter");
    },
    answered: (where = chat()) =>
      where.locator('.answer[aria-busy="false"]').last().locator("footer").waitFor(),
    async pictures(picture) {
      for (const [theme, width] of looks) {
        await workbench.setTheme(theme);
        await workbench.setSideBarWidth(width);
        await workbench.screenshot(`${picture}-${theme}`);
      }
    },
  };
}
