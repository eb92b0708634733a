import * as vscode from "vscode";
import { insertAfter } from "../../platform/editor/changeDocument.ts";
import { warnModally } from "../../platform/editor/dialogs/modal.ts";
import { focusChat } from "../../session/focusChat.ts";
import { resultScheme } from "../../shared/names/ids.ts";
import type { FailureReports } from "../bulk/failureReports.ts";
import type { AugmentDeps } from "../deps.ts";
import { asText, fileNameOfTitle, type ResultText, sourceCitation, toLink } from "../writing.ts";
import { pickRecent } from "./pickRecent.ts";
import type { ResultStore } from "./resultStore.ts";
import { hitNodes, hitOf, labelOf, type ResultNode, toResultItem } from "./resultTree.ts";
import type { StoredResult } from "./storedResult.ts";

/** The view of stored results, and the commands of its rows. */
export interface ResultController {
  children(node: ResultNode | undefined): Promise<readonly ResultNode[]>;
  parent(node: ResultNode): ResultNode | undefined;
  toItem(node: ResultNode): vscode.TreeItem;
  /** The content of a read-only document: a result, a hit, or a table of failures. */
  contentOf(uri: vscode.Uri): Promise<string>;
  refresh(): void;
  /** Selects a result in the view and expands it. */
  reveal(stored: StoredResult): Promise<void>;
  open(node: ResultNode): Promise<void>;
  browse(node: ResultNode): Promise<void>;
  insert(node: ResultNode, as: "link" | "citation"): Promise<void>;
  save(node: ResultNode): Promise<void>;
  /** Saves the result that a document shows; without a URI, the active document. */
  saveShown(uri: vscode.Uri | undefined): Promise<void>;
  toChat(node: ResultNode): Promise<void>;
  remove(node: ResultNode): Promise<void>;
  showRecent(): Promise<void>;
}

export interface ResultControllerDeps extends AugmentDeps {
  readonly store: ResultStore;
  readonly failures: FailureReports;
  readonly tree: vscode.TreeView<ResultNode>;
  readonly changed: () => void;
}

const gone = "This result is no longer stored.";

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
    else void vscode.window.showWarningMessage(gone);
  };
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
      return (node && (await textOf(node))?.text) ?? `${gone}\n`;
    },
    refresh: changed,
    async reveal(stored) {
      openId = stored.id;
      changed();
      await tree.reveal({ type: "result", result: stored }, { select: true, focus: true, expand: true });
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
    async insert(node, as) {
      const source = sourceOf(node);
      if (source) await insertAtCursor((language) => wordsFor(source, as, language, node.result.atMs));
    },
    save: (node) => withText(node, saveAs),
    async saveShown(uri) {
      const shown = uri ?? vscode.window.activeTextEditor?.document.uri;
      const node = shown?.scheme === resultScheme ? await nodeOf(store, shown) : undefined;
      if (node) await withText(node, saveAs);
    },
    async toChat(node) {
      await withText(node, async ({ name, text, languageId, uri }) => {
        await focusChat();
        const lines = text.split("\n");
        const range = { startLine: 0, startCharacter: 0, endLine: lines.length - 1, endCharacter: 0 };
        const attachment = { kind: "selection" as const, uri, name, languageId, range, text };
        handoff.offer({ text: "", send: false, attachments: [attachment] });
      });
    },
    async remove({ result: stored }) {
      const remove = "Remove";
      const question = `Remove “${labelOf(stored)}” from the results?`;
      const detail = "A new request for it would be charged again.";
      const answer = await warnModally(question, { detail }, remove);
      if (answer !== remove) return;
      await store.remove(stored.id);
      changed();
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

function wordsFor(
  source: NonNullable<ReturnType<typeof sourceOf>>,
  as: "link" | "citation",
  languageId: string,
  atMs: number,
): string {
  return as === "link" ? toLink(source, languageId) : sourceCitation(source, languageId, atMs);
}

/** Inserts text behind the selection, or copies it if no editor can be changed. */
async function insertAtCursor(words: (languageId: string) => string): Promise<void> {
  const { document, selections } = vscode.window.activeTextEditor ?? {};
  const isInserted =
    document !== undefined &&
    selections !== undefined &&
    document.uri.scheme !== resultScheme &&
    (await insertAfter(document, selections, words(document.languageId)));
  if (isInserted) return;
  await vscode.env.clipboard.writeText(words("markdown"));
  void vscode.window.showInformationMessage("No text editor is open. The text was copied to the clipboard.");
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
