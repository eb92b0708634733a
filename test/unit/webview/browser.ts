import type { Browser, BrowserContext } from "playwright-core";
import { launchChromium } from "../../vscode/chromium.ts";

/** What tests of pages need of a browser. */
export type TestBrowser = Pick<Browser, "newContext" | "newPage" | "close">;

/** Waits end after this time. With other work on the machine, a page may take long. */
const waitMs = 120_000;

let shared: Promise<Browser> | undefined;
let users = 0;

/** The browser of this process for one suite, with contexts of its own, which `close` closes. */
export async function openBrowser(): Promise<TestBrowser> {
  users++;
  shared ??= launchChromium();
  const browser = await shared;
  const contexts: BrowserContext[] = [];
  const newContext: Browser["newContext"] = async (options) => {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(waitMs);
    contexts.push(context);
    return context;
  };
  return {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    async close() {
      for (const context of contexts) await context.close();
      await release();
    },
  };
}

/** Keeps the browser of this process open between the suites that use it, until the result is called. */
export function keepBrowser(): () => Promise<void> {
  users++;
  return release;
}

async function release(): Promise<void> {
  users--;
  if (users > 0) return;
  const browser = shared;
  shared = undefined;
  await (await browser)?.close();
}
