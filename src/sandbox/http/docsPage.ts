import { marked } from "marked";
import type { DocsLibrary } from "../docs/library.ts";
import { slugOf } from "../docs/sections.ts";
import { html, type Reply } from "./reply.ts";

/** `/docs/<page>`: a page of the documentation, to which the citations of the sandbox's models point. */
export function docsPage(library: DocsLibrary, path: string): Reply | undefined {
  const slug = /^\/docs\/([^/]+)$/.exec(path)?.[1];
  const page = library.pages.find(({ title }) => slugOf(title) === slug);
  if (!page) return undefined;
  const body = marked.parse(page.text.replace(/!\[[^\]]*\]\([^)]*\)/g, ""), { async: false });
  const anchored = body.replace(/<h([123])>(.*?)<\/h\1>/g, withAnchor);
  return html(
    200,
    `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">${head(page.title)}</head><body>${anchored}</body></html>`,
  );
}

function withAnchor(_whole: string, level: string, heading: string): string {
  return `<h${level} id="${slugOf(heading.replace(/<[^>]*>/g, ""))}">${heading}</h${level}>`;
}

function head(title: string): string {
  const style =
    "body{font:16px/1.5 system-ui;max-width:44rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}";
  return `<title>${title.replace(/[<&]/g, "")}</title><style>${style}table{border-collapse:collapse}td,th{border:1px solid;padding:.2rem .6rem}</style>`;
}
