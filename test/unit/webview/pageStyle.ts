import { readFileSync } from "node:fs";
import { join } from "node:path";

const webview = join(import.meta.dirname, "../../../src/webview");

/** The style sheets of a page in the order in which its entry names them, as the build joins them. */
export function pageStyle(page: "chat" | "dashboard" | "player" | "studio"): string {
  const entry = readFileSync(join(webview, page, "main.tsx"), "utf8");
  const paths = [...entry.matchAll(/^import "(.+\.css)";$/gm)].map(([, path = ""]) => path);
  return paths.map((path) => readFileSync(join(webview, page, path), "utf8")).join("\n");
}
