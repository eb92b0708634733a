import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { build } from "esbuild";
import type { BrowserContext, Page } from "playwright-core";
import { contentSecurityPolicy } from "../../../src/platform/editor/contentSecurityPolicy.ts";
import type { TestBrowser } from "./browser.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const origin = "http://page.test";

export interface TestPage {
  readonly page: Page;
  /** Requested addresses other than its own. */
  readonly requests: readonly string[];
  /** Errors that the page logged and threw. */
  readonly errors: readonly string[];
}

/**
 * A page in a real browser under the policy of our webviews. `entry`, a file of this folder, is its script. All other
 * requests are refused and recorded.
 */
export async function openPage(
  browser: TestBrowser,
  entry: string,
  style = "",
  playsSound = false,
): Promise<TestPage> {
  const script = await bundle(entry);
  const nonce = randomBytes(16).toString("base64");
  const policy = contentSecurityPolicy(origin, nonce, playsSound);
  const html = `<!doctype html><html lang="en"><title>Page</title><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="/style.css"><body><script nonce="${nonce}" src="/script.js"></script></body>`;
  const own: Readonly<Record<string, readonly [type: string, body: string]>> = {
    "/": ["text/html", html],
    "/script.js": ["text/javascript", script],
    "/style.css": ["text/css", style],
  };
  const page = await (await contextOf(browser)).newPage();
  const requests: string[] = [];
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.route("**/*", (route) => {
    const url = new URL(route.request().url());
    const file = url.origin === origin ? own[url.pathname + url.search] : undefined;
    if (file) return route.fulfill({ contentType: file[0], body: file[1] });
    requests.push(url.href);
    return route.abort();
  });
  await page.goto(`${origin}/`);
  return { page, requests, errors };
}

const contexts = new WeakMap<TestBrowser, Promise<BrowserContext>>();

/** One for all pages of a browser: a new one costs as much as a page. Pages store nothing in it. */
function contextOf(browser: TestBrowser): Promise<BrowserContext> {
  const context = contexts.get(browser) ?? browser.newContext();
  contexts.set(browser, context);
  return context;
}

const bundles = new Map<string, Promise<string>>();

/** A script of the folder `pages`: built once per process. */
export function bundle(entry: string): Promise<string> {
  const built = bundles.get(entry) ?? buildScript(entry);
  bundles.set(entry, built);
  return built;
}

async function buildScript(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "pages", entry)],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: "chrome140",
    tsconfig: join(root, "src/webview/tsconfig.json"),
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}
