import type { ChatController } from "../../../src/chat/host/chatController.ts";
import type { ToHost, ToView } from "../../../src/chat/protocol/chatProtocol.ts";
import type { TestBrowser } from "../webview/browser.ts";
import { openPage, type TestPage } from "../webview/page.ts";
import { pageStyle } from "../webview/pageStyle.ts";
import type { AppPage } from "../webview/pages/appPageHandle.ts";

declare const appPage: AppPage;

export interface TestApp extends TestPage {
  /** The page's messages to the host, in order. */
  readonly told: readonly ToHost[];
  /** Resolves once the page has sent this to the host. */
  untilReported(type: ToHost["type"]): Promise<void>;
  /** Sends this to the host like the page. */
  report(message: ToHost): Promise<void>;
  /** Disconnects the page, as the editor does when the view is hidden. */
  close(): Promise<void>;
}

/** The whole chat page in a browser, under our policy, with this chat behind it. */
export async function openApp(
  browser: TestBrowser,
  controller: ChatController,
  { width = 320, height = 600, style = "", hasFocus = true } = {},
): Promise<TestApp> {
  const opened = await openPage(browser, "appPage.tsx", pageStyle("chat") + style);
  const { page } = opened;
  // The pages of this browser have the focus, all of them.
  if (!hasFocus) await page.evaluate("document.hasFocus = () => false");
  const reported: ToHost[] = [];
  const waiting = new Set<() => void>();
  const connection = controller.connect(
    (message) =>
      void page
        .evaluate((received: ToView) => appPage.handle(received), message)
        .catch(() => {
          // The page is closed.
        }),
  );
  await page.exposeFunction("reportHost", (message: ToHost) => {
    reported.push(message);
    for (const look of waiting) look();
    return connection.receive(message);
  });
  await page.setViewportSize({ width, height });
  await page.evaluate(() => appPage.start());
  await page.getByRole("textbox", { name: "Your question", exact: true }).waitFor();
  return {
    ...opened,
    told: reported,
    untilReported: (type) =>
      new Promise((resolve) => {
        const look = () => reported.some((one) => one.type === type) && resolve();
        waiting.add(look);
        look();
      }),
    report: (message) => connection.receive(message),
    async close() {
      connection.close();
      await page.close();
    },
  };
}
