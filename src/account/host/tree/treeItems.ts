import * as vscode from "vscode";
import { commands } from "../../../shared/names/ids.ts";
import { type AccountNode, spokenText, tooltipMarkdown } from "./treeNode.ts";

const tints: Readonly<Record<NonNullable<AccountNode["tint"]>, string>> = {
  warning: "list.warningForeground",
  error: "list.errorForeground",
  quiet: "disabledForeground",
  good: "testing.iconPassed",
};
const clicks: Readonly<Record<string, string>> = {
  addAdmin: commands.accountAddAdminKey,
  changeBudget: commands.accountChangeBudget,
  refresh: commands.accountRefresh,
  readWallet: commands.accountReadWallet,
  readBill: commands.accountReadBill,
  showLog: commands.connectionShowLog,
};

/** A row as a TreeItem. */
export function toTreeItem(node: AccountNode): vscode.TreeItem {
  const item = new vscode.TreeItem(node.label, collapsible(node));
  item.id = node.id;
  if (node.description !== undefined) item.description = node.description;
  if (node.tooltip !== undefined) item.tooltip = new vscode.MarkdownString(tooltipMarkdown(node.tooltip));
  if (node.icon !== undefined) {
    item.iconPath = new vscode.ThemeIcon(node.icon, node.tint && new vscode.ThemeColor(tints[node.tint]));
  }
  if (node.kind !== undefined) item.contextValue = node.kind;
  const command = node.command && clicks[node.command];
  if (command) item.command = { command, title: node.description ?? node.label, arguments: [node] };
  item.accessibilityInformation = { label: spokenText(node) };
  return item;
}

/** VS Code refuses rows with the same id, so duplicates of the service get their index as suffix. */
export function withOwnIds(nodes: readonly AccountNode[]): readonly AccountNode[] {
  const seen = new Set<string>();
  return nodes.map((node, index) => {
    if (!seen.has(node.id)) {
      seen.add(node.id);
      return node;
    }
    return { ...node, id: `${node.id}#${index}` };
  });
}

function collapsible({ children, isOpen }: AccountNode): vscode.TreeItemCollapsibleState {
  if (!children) return vscode.TreeItemCollapsibleState.None;
  return isOpen ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed;
}
