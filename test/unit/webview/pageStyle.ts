import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";

const pages = {
  chat: "chat",
  dashboard: "account",
  player: "speech",
  requests: "requests",
  results: "web",
  studio: "images",
};

type StyledPage = keyof typeof pages;
const styles = new Map<StyledPage, string>();

/** The style sheets of a page in the order of its imports, as the build joins them. */
export function pageStyle(page: StyledPage): string {
  const style = styles.get(page) ?? buildStyle(page);
  styles.set(page, style);
  return style;
}

function buildStyle(page: StyledPage): string {
  const resolveDir = join(import.meta.dirname, "../../../src", pages[page], "page");
  const entry = readFileSync(join(resolveDir, "main.tsx"), "utf8");
  const sheets = [...entry.matchAll(/^import ("[^"]+\.css");$/gm)].map(([, path]) => `@import ${path};`);
  const stdin = { contents: sheets.join(""), loader: "css", resolveDir } as const;
  return buildSync({ stdin, bundle: true, write: false }).outputFiles[0]?.text ?? "";
}
