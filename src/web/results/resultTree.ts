import * as vscode from "vscode";
import { commands } from "../../shared/names/ids.ts";
import { whenText } from "../../shared/time/whenText.ts";
import { hitSite } from "../search/toHits.ts";
import type { SearchHit, StoredResult, StoredSearch } from "./storedResult.ts";

/** A row of the view: a stored result, or a hit of a stored search. */
export type ResultNode =
  | { readonly type: "result"; readonly result: StoredResult }
  | { readonly type: "hit"; readonly result: StoredSearch; readonly index: number };

const icons: Readonly<Record<StoredResult["kind"], string>> = {
  search: "search",
  page: "globe",
  document: "file-text",
};

export function hitOf({
  result: stored,
  index,
}: Extract<ResultNode, { type: "hit" }>): SearchHit | undefined {
  return stored.hits[index];
}

export function hitNodes(stored: StoredSearch): ResultNode[] {
  return stored.hits.map((_, index) => ({ type: "hit", result: stored, index }));
}

export function labelOf(stored: StoredResult): string {
  if (stored.kind === "search") return stored.query;
  return stored.kind === "page" ? stored.title : stored.name;
}

/** `8 results, 09:30`. */
export function resultFacts(stored: StoredResult, nowMs: number): string {
  return `${sizeOf(stored)}${whenText(stored.atMs, nowMs)}`;
}

export function iconOf({ kind }: StoredResult): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icons[kind]);
}

/** The search with `openId` is expanded. */
export function toResultItem(node: ResultNode, nowMs: number, openId: string | undefined): vscode.TreeItem {
  const item = node.type === "hit" ? hitItem(node) : storedItem(node.result, nowMs, openId);
  item.accessibilityInformation = { label: [item.label, item.description].filter(Boolean).join(", ") };
  return item;
}

function storedItem(stored: StoredResult, nowMs: number, openId: string | undefined): vscode.TreeItem {
  const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
  const collapsed = stored.kind === "search" && stored.hits.length > 0 ? Collapsed : None;
  const item = new vscode.TreeItem(
    labelOf(stored),
    stored.id === openId && collapsed !== None ? Expanded : collapsed,
  );
  item.id = stored.id;
  item.description = resultFacts(stored, nowMs);
  item.iconPath = iconOf(stored);
  item.contextValue = stored.kind;
  item.tooltip = tooltipOf(stored);
  if (stored.kind !== "search") item.command = openCommand({ type: "result", result: stored });
  return item;
}

function hitItem(node: Extract<ResultNode, { type: "hit" }>): vscode.TreeItem {
  const { title = "", url = "", date = "", snippet = "" } = hitOf(node) ?? {};
  const item = new vscode.TreeItem(title);
  item.id = `${node.result.id}#${node.index}`;
  item.description = [hitSite(url), date].filter(Boolean).join(" · ");
  // Without an address there is nothing to open, read, link to or cite.
  item.contextValue = url === "" ? "textHit" : "hit";
  const tooltip = new vscode.MarkdownString();
  // appendText escapes Markdown of untrusted pages.
  tooltip.appendText(`${title}\n\n${[url, date].filter(Boolean).join(" · ")}\n\n${snippet}`);
  item.tooltip = tooltip;
  item.command = openCommand(node);
  return item;
}

function openCommand(node: ResultNode): vscode.Command {
  return { command: commands.webOpenResult, title: "Open", arguments: [node] };
}

function tooltipOf(stored: StoredResult): string {
  const when = new Date(stored.atMs).toLocaleString();
  if (stored.kind === "search") return `${stored.query}\nSearched ${when}`;
  if (stored.kind === "page") return `${stored.title}\n${stored.url}\nScraped ${when}`;
  return `${stored.name}\nParsed ${when}`;
}

function sizeOf(stored: StoredResult): string {
  if (stored.kind === "search")
    return stored.hits.length === 1 ? "1 result, " : `${stored.hits.length} results, `;
  if (stored.kind === "page") return `${hitSite(stored.url)}, `;
  return stored.tokens === undefined ? "" : `${stored.tokens.toLocaleString("en-US")} tokens, `;
}
