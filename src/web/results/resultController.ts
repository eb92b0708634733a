import * as vscode from "vscode";
import { insertAfter } from "../../platform/editor/changeDocument.ts";
import { warnModally } from "../../platform/editor/dialogs/modal.ts";
import type { InsertTarget, LastEditor } from "../../platform/editor/lastEditor.ts";
import { focusChat } from "../../session/focusChat.ts";
import { resultScheme } from "../../shared/names/ids.ts";
import type { FailureReports } from "../bulk/failureReports.ts";
import type { AugmentDeps } from "../deps.ts";
import { asText, fileNameOfTitle, type ResultText, sourceCitation, toLink } from "../writing.ts";
import { pickRecent } from "./pickRecent.ts";
import type { ResultStore } from "./resultStore.ts";
import type { ResultsPanel } from "./resultsPanel.ts";
import {
  hitNodes,
  hitOf,
  iconOf,
  labelOf,
  type ResultNode,
  resultFacts,
  toResultItem,
} from "./resultTree.ts";
import { goneSentence, type StoredResult } from "./storedResult.ts";

/** The view of stored results, and the commands of its rows. */
export interface ResultController {
  children(node: ResultNode | undefined): Promise<readonly ResultNode[]>;
  parent(node: ResultNode): ResultNode | undefined;
  toItem(node: ResultNode): vscode.TreeItem;
  /** The content of a read-only document: a result, a hit, or a table of failures. */
  contentOf(uri: vscode.Uri): Promise<string>;
  refresh(): void;
  /** Selects a result in the editor with all of them, where its text has room. */
  reveal(stored: StoredResult): Promise<void>;
  open(node: ResultNode): Promise<void>;
  browse(node: ResultNode): Promise<void>;
  insert(nodes: readonly ResultNode[], as: InsertForm): Promise<void>;
  /** Saves one result as a file, several in a folder. */
  save(nodes: readonly ResultNode[]): Promise<void>;
  /** Saves the result that a document shows; without a URI, the active document. */
  saveShown(uri: vscode.Uri | undefined): Promise<void>;
  toChat(nodes: readonly ResultNode[]): Promise<void>;
  remove(nodes: readonly ResultNode[]): Promise<void>;
  /** Lets the user choose which of several results to open. */
  pick(stored: readonly StoredResult[]): Promise<void>;
  showRecent(): Promise<void>;
}

export interface ResultControllerDeps extends AugmentDeps {
  readonly store: ResultStore;
  readonly failures: FailureReports;
  readonly tree: vscode.TreeView<ResultNode>;
  readonly panel: Pick<ResultsPanel, "show">;
  readonly editor: Pick<LastEditor, "target">;
  readonly changed: () => void;
}

/** How a source is inserted. */
type InsertForm = "link" | "citation";

export function createResultController(deps: ResultControllerDeps): ResultController {
  const { store, failures, tree, changed, handoff } = deps;
  let openId: string | undefined;
  const textOf = async (node: ResultNode): Promise<ResultText | undefined> => {
    const { result: stored } = node;
    if (node.type === "hit") return asText(stored, hitOf(node));
    return asText(stored, undefined, stored.kind === "search" ? undefined : await store.text(stored.id));
  };
  const withText = async (node: ResultNode, use: (text: ResultText) => unknown): Promise<void> => {
    const text = await textOf(node);
    if (text) await use(text);
    else void vscode.window.showWarningMessage(goneSentence);
  };
  const textsOf = async (nodes: readonly ResultNode[]) =>
    (await Promise.all(nodes.map(textOf))).filter((text) => text !== undefined);
  const controller: ResultController = {
    async children(node) {
      if (node) return node.type === "result" && node.result.kind === "search" ? hitNodes(node.result) : [];
      return (await store.list()).map((stored) => ({ type: "result", result: stored }));
    },
    parent: (node) => (node.type === "hit" ? { type: "result", result: node.result } : undefined),
    toItem: (node) => toResultItem(node, Date.now(), openId),
    async contentOf(uri) {
      const table = failures.textOf(uri);
      if (table !== undefined) return table;
      const node = await nodeOf(store, uri);
      return (node && (await textOf(node))?.text) ?? `${goneSentence}\n`;
    },
    refresh: changed,
    async reveal(stored) {
      openId = stored.id;
      changed();
      const node = { type: "result", result: stored } as const;
      if (tree.visible) await tree.reveal(node, { select: true, focus: false, expand: true });
      await deps.panel.show(stored.id);
    },
    async open(node) {
      if (node.type === "hit" || node.result.kind === "search") return showReadOnly(node, true);
      // Not as a preview: the user opened it or just paid for it.
      await withText(node, ({ name }) => showReadOnly(node, false, name));
    },
    async browse(node) {
      const { url } = sourceOf(node) ?? {};
      if (url !== undefined) await vscode.env.openExternal(vscode.Uri.parse(url, true));
    },
    insert: (nodes, as) => insertSources(nodes, as, deps.editor.target),
    async save(nodes) {
      const [first] = nodes;
      if (nodes.length > 1) await saveInFolder(await textsOf(nodes));
      else if (first) await withText(first, saveAs);
    },
    pick: (stored) => pickResults(stored, controller.open),
    async saveShown(uri) {
      const shown = uri ?? vscode.window.activeTextEditor?.document.uri;
      const node = shown?.scheme === resultScheme ? await nodeOf(store, shown) : undefined;
      if (node) await withText(node, saveAs);
    },
    async toChat(nodes) {
      const texts = await textsOf(nodes);
      if (texts.length === 0) return void vscode.window.showWarningMessage(goneSentence);
      await focusChat();
      handoff.offer({ text: "", send: false, attachments: texts.map(attachmentOf) });
    },
    async remove(nodes) {
      if (await removeResults(store, nodes)) changed();
    },
    async showRecent() {
      await pickRecent(await store.list(), deps.recents.groups, (stored) =>
        stored.kind === "search"
          ? controller.reveal(stored)
          : controller.open({ type: "result", result: stored }),
      );
    },
  };
  return controller;
}

/** Opens a virtual document, which is read-only and needs no saving. */
async function showReadOnly(node: ResultNode, isPreview: boolean, name?: string): Promise<void> {
  const title = node.type === "hit" ? (hitOf(node)?.title ?? "") : labelOf(node.result);
  const part = node.type === "hit" ? `/${node.index}` : "/all";
  const path = `/${node.result.id}${part}/${name ?? fileNameOfTitle(title, "md")}`;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: resultScheme, path }));
  await vscode.window.showTextDocument(document, {
    viewColumn: resultColumn(document.uri),
    preview: isPreview,
    preserveFocus: isPreview,
  });
}

async function nodeOf(store: ResultStore, uri: vscode.Uri): Promise<ResultNode | undefined> {
  const [, id, index] = uri.path.split("/");
  const stored = (await store.list()).find((one) => one.id === id);
  if (!stored) return undefined;
  return index === "all" || stored.kind !== "search"
    ? { type: "result", result: stored }
    : { type: "hit", result: stored, index: Number(index) };
}

function sourceOf(node: ResultNode) {
  if (node.type === "hit") return hitOf(node);
  return node.result.kind === "page" ? node.result : undefined;
}

async function insertSources(
  nodes: readonly ResultNode[],
  as: InsertForm,
  target: InsertTarget | undefined,
): Promise<void> {
  const cited = nodes.flatMap((node) => {
    const source = sourceOf(node);
    return source ? [{ source, atMs: node.result.atMs }] : [];
  });
  if (cited.length > 0) await insertAtCursor((language) => wordsFor(cited, as, language), target);
}

async function pickResults(
  stored: readonly StoredResult[],
  open: (node: ResultNode) => Promise<void>,
): Promise<void> {
  const rows = stored.map((result) => ({
    label: labelOf(result),
    description: resultFacts(result, Date.now()),
    iconPath: iconOf(result),
    result,
  }));
  const options = { title: "Open Results", canPickMany: true, matchOnDescription: true } as const;
  const chosen = await vscode.window.showQuickPick(rows, options);
  for (const { result } of chosen ?? []) await open({ type: "result", result });
}

/** Asks, and removes the results of the rows. False if the user keeps them. */
async function removeResults(store: ResultStore, nodes: readonly ResultNode[]): Promise<boolean> {
  const stored = [...new Map(nodes.map(({ result }) => [result.id, result])).values()];
  const [first] = stored;
  if (!first) return false;
  const remove = "Remove";
  const subject = stored.length === 1 ? `“${labelOf(first)}”` : `${stored.length} results`;
  const detail = `A new request for ${stored.length === 1 ? "it" : "one of them"} would be charged again.`;
  const answer = await warnModally(`Remove ${subject} from the results?`, { detail }, remove);
  if (answer !== remove) return false;
  for (const { id } of stored) await store.remove(id);
  return true;
}

interface Cited {
  readonly source: NonNullable<ReturnType<typeof sourceOf>>;
  readonly atMs: number;
}

/** One source in the sentence, several as a list below each other. */
function wordsFor(cited: readonly Cited[], as: InsertForm, languageId: string): string {
  const words = cited.map(({ source, atMs }) =>
    as === "link" ? toLink(source, languageId) : sourceCitation(source, languageId, atMs),
  );
  const mark = cited.length > 1 && languageId === "markdown" ? "- " : "";
  return words.map((each) => mark + each).join("\n");
}

function attachmentOf({ name, text, languageId, uri }: ResultText) {
  const lines = text.split("\n");
  const range = { startLine: 0, startCharacter: 0, endLine: lines.length - 1, endCharacter: 0 };
  return { kind: "selection" as const, uri, name, languageId, range, text };
}

/** Inserts text behind the selection, or copies it if no editor can be changed. */
async function insertAtCursor(
  words: (languageId: string) => string,
  target: InsertTarget | undefined,
): Promise<void> {
  const { document, selections = [] } = target ?? {};
  if (document && (await insertAfter(document, selections, words(document.languageId)))) return;
  await vscode.env.clipboard.writeText(words("markdown"));
  const reason = document ? "The editor can't be changed." : "No text editor is open.";
  void vscode.window.showInformationMessage(`${reason} The text was copied to the clipboard.`);
}

/** Proposes the folder of the parsed file, else the workspace. */
async function saveAs({ name, text, uri }: ResultText): Promise<void> {
  const source = vscode.Uri.parse(uri);
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  const folder = source.scheme === "file" ? vscode.Uri.joinPath(source, "..") : root;
  const options = folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {};
  const target = await vscode.window.showSaveDialog({ ...options, title: "Save As" });
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  await vscode.window.showTextDocument(target);
}

/** Writes results into a folder that the user chooses. Files that are there stay. */
async function saveInFolder(texts: readonly ResultText[]): Promise<void> {
  const options = {
    title: "Save in Folder",
    openLabel: "Save Here",
    canSelectFolders: true,
    canSelectFiles: false,
  };
  const [folder] = (await vscode.window.showOpenDialog(options)) ?? [];
  if (!folder) return;
  const taken = new Set(
    (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name.toLowerCase()),
  );
  for (const { name, text } of texts) {
    const free = freeName(name, taken);
    taken.add(free.toLowerCase());
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, free), new TextEncoder().encode(text));
  }
  const show = "Show Folder";
  const sentence = `${texts.length} files were saved.`;
  if ((await vscode.window.showInformationMessage(sentence, show)) === show)
    await vscode.commands.executeCommand("revealFileInOS", folder);
}

/** `page.md`, else `page-2.md`, `page-3.md` … */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const [, base = name, extension = ""] = /^(.*?)((?:\.[^.]+)?)$/.exec(name) ?? [];
  for (let count = 1; ; count++) {
    const free = count === 1 ? name : `${base}-${count}${extension}`;
    if (!taken.has(free.toLowerCase())) return free;
  }
}

/** The column of a result: its own if it is open, that of other results, else beside the active editor. */
function resultColumn(uri: vscode.Uri): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const shows = (tab: vscode.Tab) =>
    tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri.toString();
  const open = all.find(({ tabs }) => tabs.some(shows));
  if (open) return open.viewColumn;
  const { activeTab } = activeTabGroup;
  return !activeTab || isResult(activeTab) ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
}

function isResult({ input }: vscode.Tab): boolean {
  return input instanceof vscode.TabInputText && [resultScheme, "untitled"].includes(input.uri.scheme);
}
