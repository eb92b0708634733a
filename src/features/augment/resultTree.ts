import * as vscode from "vscode";
import { commands } from "../../shared/ids.ts";
import { whenText } from "../../shared/whenText.ts";
import { siteOf } from "./search/toHits.ts";
import type { KeptResult, KeptSearch, SearchHit } from "./storedResult.ts";

/** A row of the view: something kept, or one hit of a kept search. */
export type ResultNode =
  | { readonly type: "kept"; readonly kept: KeptResult }
  | { readonly type: "hit"; readonly kept: KeptSearch; readonly index: number };

const icons: Readonly<Record<KeptResult["kind"], string>> = {
  search: "search",
  page: "globe",
  document: "file-text",
};

export function hitOf({ kept, index }: Extract<ResultNode, { type: "hit" }>): SearchHit | undefined {
  return kept.hits[index];
}

export function hitNodes(kept: KeptSearch): ResultNode[] {
  return kept.hits.map((_, index) => ({ type: "hit", kept, index }));
}

/** What a result is called in lists. */
export function labelOf(kept: KeptResult): string {
  if (kept.kind === "search") return kept.query;
  return kept.kind === "page" ? kept.title : kept.name;
}

/** What to know of a result beside its name: `8 results, 09:30`. */
export function resultFacts(kept: KeptResult, nowMs: number): string {
  return `${sizeOf(kept)}${whenText(kept.atMs, nowMs)}`;
}

export function iconOf({ kind }: KeptResult): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icons[kind]);
}

/** A row as the editor draws it; the search that came last stands open. */
export function toResultItem(node: ResultNode, nowMs: number, openId: string | undefined): vscode.TreeItem {
  const item = node.type === "hit" ? hitItem(node) : keptItem(node.kept, nowMs, openId);
  item.accessibilityInformation = { label: [item.label, item.description].filter(Boolean).join(", ") };
  return item;
}

function keptItem(kept: KeptResult, nowMs: number, openId: string | undefined): vscode.TreeItem {
  const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
  const closed = kept.kind === "search" && kept.hits.length > 0 ? Collapsed : None;
  const item = new vscode.TreeItem(labelOf(kept), kept.id === openId && closed !== None ? Expanded : closed);
  item.id = kept.id;
  item.description = resultFacts(kept, nowMs);
  item.iconPath = iconOf(kept);
  item.contextValue = kept.kind;
  item.tooltip = tooltipOf(kept);
  if (kept.kind !== "search") item.command = opening({ type: "kept", kept });
  return item;
}

function hitItem(node: Extract<ResultNode, { type: "hit" }>): vscode.TreeItem {
  const { title = "", url = "", date = "", snippet = "" } = hitOf(node) ?? {};
  const item = new vscode.TreeItem(title);
  item.id = `${node.kept.id}#${node.index}`;
  item.description = [siteOf(url), date].filter(Boolean).join(" · ");
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

function tooltipOf(kept: KeptResult): string {
  const when = new Date(kept.atMs).toLocaleString();
  if (kept.kind === "search") return `${kept.query}\nSearched ${when}`;
  if (kept.kind === "page") return `${kept.title}\n${kept.url}\nScraped ${when}`;
  return `${kept.name}\nParsed ${when}`;
}

function sizeOf(kept: KeptResult): string {
  if (kept.kind === "search") return kept.hits.length === 1 ? "1 result, " : `${kept.hits.length} results, `;
  if (kept.kind === "page") return `${siteOf(kept.url)}, `;
  return kept.tokens === undefined ? "" : `${kept.tokens.toLocaleString("en-US")} tokens, `;
}
