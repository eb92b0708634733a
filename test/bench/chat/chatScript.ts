import { join } from "node:path";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { root } from "../../tools/paths.ts";
import { pageStyle } from "../../unit/webview/pageStyle.ts";

/** Bundles a script of chatRender/ as the chat's page is bundled, and loads it into an empty page with the chat's style. */
export async function loadScript(page: Page, name: string): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "chatRender", name)],
    bundle: true,
    minify: true,
    write: false,
    outdir: "/",
    format: "iife",
    platform: "browser",
    target: "chrome140",
    tsconfig: join(root, "src/webview/tsconfig.json"),
    logLevel: "error",
  });
  await page.setContent("<!doctype html><meta charset=utf-8><body></body>");
  await page.addStyleTag({ content: pageStyle("chat") });
  await page.addScriptTag({ content: outputFiles[0]?.text ?? "" });
}
