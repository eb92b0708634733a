import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach } from "node:test";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import type { RpcOutputMessage, RpcWholeMessage } from "../../../../src/rpc/output/rpcOutputMessage.ts";
import type { Renderer } from "../../../../src/rpc/renderer/main.tsx";
import { exactJsonText } from "../../../../src/shared/text/json/exactJson.ts";
import { openBrowser, type TestBrowser } from "../../webview/browser.ts";

const root = join(import.meta.dirname, "../../../..");
const origin = "http://page.test";

export interface RendererPage {
  readonly page: Page;
  /** Errors that the page logged and threw, and its requests for other than its own files. */
  readonly problems: readonly string[];
  /** Messages to the extension, without those for whole results. */
  readonly messages: RpcOutputMessage[];
  /** Requests for whole results. */
  readonly asked: RpcOutputMessage[];
  /** Answers like the extension. */
  answer(message: RpcWholeMessage): Promise<void>;
  /** Renders a payload like the editor, replacing the former one of this name. */
  draw(payload: unknown, id?: string): Promise<void>;
}

declare global {
  interface Window {
    /** The activated renderer of the page. */
    renderer: Renderer;
    report: (message: RpcOutputMessage) => void;
    receive: (message: unknown) => void;
  }
}

/** The built renderer, once per process. */
let files: Promise<ReadonlyMap<string, File>> | undefined;

/** Opens a page for the tests of a suite, and clears its messages between them. */
export function useRendererPage(onOpen: (opened: RendererPage) => void | Promise<void>): void {
  let browser: TestBrowser;
  let opened: RendererPage;
  before(async () => {
    browser = await openBrowser();
    opened = await openRendererPage(browser);
    await onOpen(opened);
  });
  beforeEach(() => void opened.messages.splice(0));
  after(() => browser.close());
}

/** The renderer in a real browser, under a policy no wider than the one of the editor's notebooks. */
async function openRendererPage(browser: TestBrowser, style = ""): Promise<RendererPage> {
  files ??= bundle();
  const served = new Map(await files);
  const policy = `default-src 'none'; script-src ${origin}; style-src ${origin}; require-trusted-types-for 'script'; trusted-types 'none'`;
  served.set("/", {
    type: "text/html",
    body: `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="/style.css"><body><script type="module" src="/start.js"></script></body>`,
  });
  served.set("/style.css", { type: "text/css", body: style });
  served.set("/start.js", {
    type: "text/javascript",
    body: 'import { activate } from "./rpc.js"; window.renderer = activate({ postMessage: (message) => tell(message), onDidReceiveMessage: (listener) => { window.receive = listener; } });',
  });
  const page = await browser.newPage({ viewport: { width: 760, height: 900 } });
  const problems: string[] = [];
  const messages: RpcOutputMessage[] = [];
  const asked: RpcOutputMessage[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  await page.exposeFunction("tell", (message: RpcOutputMessage) =>
    (message.type === "getWhole" ? asked : messages).push(message),
  );
  await page.route("**/*", (route) => {
    const { href, pathname } = new URL(route.request().url());
    const file = served.get(pathname);
    if (file) return route.fulfill({ contentType: file.type, body: file.body });
    problems.push(`asked for ${href}`);
    return route.abort();
  });
  await page.goto(`${origin}/`);
  await page.waitForFunction(() => window.renderer !== undefined);
  return {
    page,
    problems,
    messages,
    asked,
    answer: (message) => page.evaluate((sent) => window.receive(sent), message),
    async draw(payload, id = "output") {
      await page.evaluate(drawIn, [exactJsonText(payload), id] as const);
    },
  };
}

/** Runs in the page. */
function drawIn([json, id]: readonly [string, string]): Promise<void> | undefined {
  window.renderer.disposeOutputItem(id);
  document.getElementById(id)?.remove();
  const element = document.createElement("div");
  element.id = id;
  document.body.append(element);
  return window.renderer.renderOutputItem({ id, text: () => json }, element);
}

interface File {
  readonly type: string;
  readonly body: string;
}

async function bundle(): Promise<ReadonlyMap<string, File>> {
  const outdir = mkdtempSync(join(tmpdir(), "inference-renderer-"));
  try {
    const { metafile } = await build({
      entryPoints: { rpc: join(root, "src/rpc/renderer/main.tsx") },
      outdir,
      bundle: true,
      metafile: true,
      absWorkingDir: outdir,
      format: "esm",
      splitting: true,
      platform: "browser",
      target: "chrome140",
      loader: { ".css": "text" },
      tsconfig: join(root, "src/rpc/renderer/tsconfig.json"),
      logLevel: "error",
    });
    return new Map(
      Object.keys(metafile.outputs).map((name) => [
        `/${name}`,
        { type: "text/javascript", body: readFileSync(join(outdir, name), "utf8") },
      ]),
    );
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
