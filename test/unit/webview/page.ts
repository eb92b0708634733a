import { join } from "node:path";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";

const root = join(import.meta.dirname, "..", "..", "..");

/** A page in a real browser that holds what `entry` (a file of this folder) puts on `globalThis`. */
export async function openPage(
  browser: Browser,
  entry: string,
  html = "<!doctype html><body></body>",
): Promise<Page> {
  const bundle = await build({
    entryPoints: [join(import.meta.dirname, entry)],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: "chrome140",
    tsconfig: join(root, "src/webview/tsconfig.json"),
    logLevel: "error",
  });
  const page = await browser.newPage();
  await page.setContent(html);
  await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? "" });
  return page;
}
