import * as vscode from "vscode";
import { commands } from "../../shared/ids.ts";
import { whenText } from "../../shared/whenText.ts";
import { hitSite } from "./search/toHits.ts";
import type { SearchHit, StoredResult, StoredSearch } from "./storedResult.ts";

/** A row of the view: something kept, or one hit of a kept search. */
export type ResultNode =
  | { readonly type: "kept"; readonly kept: StoredResult }
  | { readonly type: "hit"; readonly kept: StoredSearch; readonly index: number };

const icons: Readonly<Record<StoredResult["kind"], string>> = {
  search: "search",
  page: "globe",
  document: "file-text",
};

export function hitOf({ kept: stored, index }: Extract<ResultNode, { type: "hit" }>): SearchHit | undefined {
  return stored.hits[index];
}

export function hitNodes(stored: StoredSearch): ResultNode[] {
  return stored.hits.map((_, index) => ({ type: "hit", kept: stored, index }));
}

/** What a result is called in lists. */
export function labelOf(stored: StoredResult): string {
  if (stored.kind === "search") return stored.query;
  return stored.kind === "page" ? stored.title : stored.name;
}

/** What to know of a result beside its name: `8 results, 09:30`. */
export function resultFacts(stored: StoredResult, nowMs: number): string {
  return `${sizeOf(stored)}${whenText(stored.atMs, nowMs)}`;
}

export function iconOf({ kind }: StoredResult): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icons[kind]);
}

/** A row as the editor draws it; the search that came last stands open. */
export function toResultItem(node: ResultNode, nowMs: number, openId: string | undefined): vscode.TreeItem {
  const item = node.type === "hit" ? hitItem(node) : storedItem(node.kept, nowMs, openId);
  item.accessibilityInformation = { label: [item.label, item.description].filter(Boolean).join(", ") };
  return item;
}

function storedItem(stored: StoredResult, nowMs: number, openId: string | undefined): vscode.TreeItem {
  const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
  const closed = stored.kind === "search" && stored.hits.length > 0 ? Collapsed : None;
  const item = new vscode.TreeItem(
    labelOf(stored),
    stored.id === openId && closed !== None ? Expanded : closed,
  );
  item.id = stored.id;
  item.description = resultFacts(stored, nowMs);
  item.iconPath = iconOf(stored);
  item.contextValue = stored.kind;
  item.tooltip = tooltipOf(stored);
  if (stored.kind !== "search") item.command = opening({ type: "kept", kept: stored });
  return item;
}

function hitItem(node: Extract<ResultNode, { type: "hit" }>): vscode.TreeItem {
  const { title = "", url = "", date = "", snippet = "" } = hitOf(node) ?? {};
  const item = new vscode.TreeItem(title);
  item.id = `${node.kept.id}#${node.index}`;
  item.description = [hitSite(url), date].filter(Boolean).join(" · ");
  item.contextValue = "hit";
  const tooltip = new vscode.MarkdownString();
  // What strangers wrote is shown as text alone.
  tooltip.appendText(`${title}\n\n${[url, date].filter(Boolean).join(" · ")}\n\n${snippet}`);
  item.tooltip = tooltip;
  item.command = opening(node);
  return item;
}

function opening(node: ResultNode): vscode.Command {
  return { command: commands.resultOpen, title: "Open", arguments: [node] };
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
