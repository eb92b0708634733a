import { realpath } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { decodedAsShown, isPlainText, unsavedText } from "../../../../changes/engine/files/editorText.ts";
import { documentOf } from "../../../../changes/engine/files/openEditors.ts";
import { askPassword } from "../../../../platform/editor/dialogs/askPassword.ts";
import { warnModally } from "../../../../platform/editor/dialogs/modal.ts";
import type { BlobStore } from "../../../../platform/files/blobStore.ts";
import { filesBelow } from "../../../../platform/files/bounded/filesBelow.ts";
import { placeInside } from "../../../../platform/files/bounded/placeInside.ts";
import { listFiles } from "../../../../platform/search/editorSearch.ts";
import { readSettings } from "../../../../platform/settings.ts";
import { linesOf } from "../../../../session/connection/handoff.ts";
import {
  type Attachment,
  type AttachRequest,
  type Mention,
  maxHandedBytes,
} from "../../../../shared/chat/chatAttachments.ts";
import { toLineSpan } from "../../../../shared/lineSpan.ts";
import { looksSecret } from "../../../../shared/secretFiles.ts";
import { fileName } from "../../../../shared/text/fileName.ts";
import type { WorkspaceFacts } from "../../start/starters.ts";
import { fileTypeOf } from "../content/fileType.ts";
import { folderText } from "../content/folderText.ts";
import { maxTextBytes, problemsText } from "../content/textContent.ts";
import { pickAttachments } from "../pickAttachments.ts";
import { createMentionSearch } from "./mentionSearch.ts";
import type { EditorSources, FoundText, SourceFile } from "./sources.ts";

/** Sources of attachments in this window. */
export function createEditorSources(): EditorSources {
  const search = createMentionSearch();
  return {
    find: (request, signal) =>
      request.kind === "uri" ? findUri(request.uri, signal) : found[request.kind](),
    nameOf: (uri) => attachmentName(vscode.Uri.parse(uri)),
    suggest: async (query, signal) => [...special(query), ...(await search(query, signal))],
    pick: pickAttachments,
    async confirm(sentence, button) {
      return (await warnModally(sentence, {}, button)) === button;
    },
    askPassword,
    readsDocumentsHere: () => readSettings().parser !== "service",
    facts: workspaceFacts,
    onDidChangeFacts: watchFacts,
  };
}

function workspaceFacts(): WorkspaceFacts {
  const { activeTextEditor: editor, visibleTextEditors } = vscode.window;
  const { document, selection } = editor ?? visibleTextEditors[0] ?? {};
  const selected = editor && selection && !selection.isEmpty ? selection : undefined;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const found = document ? vscode.languages.getDiagnostics(document.uri) : [];
  const countOf = (severity: vscode.DiagnosticSeverity) =>
    found.filter((problem) => problem.severity === severity).length;
  const { Error: error, Warning: warning } = vscode.DiagnosticSeverity;
  return {
    ...(folder ? { folder: { name: folder.name, uri: folder.uri.toString() } } : {}),
    ...(document
      ? {
          file: {
            name: fileName(attachmentName(document.uri)),
            languageId: document.languageId,
            code: () => (document.lineCount <= maxReadLines ? document.getText(selected) : ""),
          },
        }
      : {}),
    ...(selected ? { selection: linesOf(toLineSpan(selected)) } : {}),
    problems: { errors: countOf(error), warnings: countOf(warning) },
  };
}

/** More than the sample of the tour has, which is the only code that is looked for. */
const maxReadLines = 20;

const factsPauseMs = 200;

/** Debounced: a selection grows, and a compiler reports file by file. */
function watchFacts(listener: () => void): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const later = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      listener();
    }, factsPauseMs);
  };
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(later),
    vscode.window.onDidChangeTextEditorSelection(later),
    vscode.languages.onDidChangeDiagnostics(later),
    vscode.workspace.onDidChangeWorkspaceFolders(later),
    new vscode.Disposable(() => clearTimeout(timer)),
  );
}

const specials: readonly (Mention & { readonly words: string })[] = [
  {
    request: { kind: "selection" },
    icon: "selection",
    name: "selection",
    words: "the selection in the active editor",
  },
  { request: { kind: "editor" }, icon: "editor", name: "editor", words: "the text in the active editor" },
  { request: { kind: "problems" }, icon: "problems", name: "problems", words: "errors and warnings" },
  {
    request: { kind: "terminal" },
    icon: "terminal",
    name: "terminal",
    words: "the selection in the terminal",
  },
];

/** Entries that are not files come first while the typed text is a prefix of their name. */
function special(query: string): Mention[] {
  return specials
    .filter(({ name }) => name.startsWith(query.toLowerCase()))
    .map(({ words, ...mention }) => ({ ...mention, detail: words }));
}

type Special = Exclude<AttachRequest["kind"], "uri">;
const found: Readonly<Record<Special, () => Promise<FoundText | string>>> = {
  async selection() {
    const editor = vscode.window.activeTextEditor;
    if (!editor || editor.selection.isEmpty)
      return "Nothing is selected. Select some text in an editor, then attach it.";
    const range = toLineSpan(editor.selection);
    return {
      ...placeOf(editor.document),
      kind: "selection",
      detail: linesOf(range),
      line: range.startLine + 1,
      text: editor.document.getText(editor.selection),
    };
  },
  async code() {
    const selected = await found.selection();
    return typeof selected === "string" ? found.editor() : selected;
  },
  async editor() {
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    const document = (activeTextEditor ?? visibleTextEditors[0])?.document;
    if (!document) return "No text editor is open. Open a file, then attach it.";
    return { ...placeOf(document), kind: "editor", text: document.getText() };
  },
  async problems() {
    const text = problemsText(
      vscode.languages.getDiagnostics().map(([uri, diagnostics]) => ({
        path: attachmentName(uri),
        problems: diagnostics.map(({ range, severity, message, source, code }) => ({
          line: range.start.line + 1,
          column: range.start.character + 1,
          severity: (["error", "warning", "info", "hint"] as const)[severity] ?? "info",
          message,
          source: [source, typeof code === "object" ? code.value : code].filter(Boolean).join(" "),
        })),
      })),
    );
    return text ? { kind: "problems", name: "Problems", ...text } : "There are no problems to attach.";
  },
  async terminal() {
    const text = await terminalSelection();
    if (text === undefined)
      return "Nothing is selected in the terminal. Select some of its text, then attach it.";
    return {
      kind: "terminal",
      name: vscode.window.activeTerminal?.name ?? "Terminal",
      detail: "selected in the terminal",
      text,
    };
  },
};

function placeOf({ uri, languageId }: vscode.TextDocument) {
  return { name: attachmentName(uri), uri: uri.toString(), languageId };
}

/** The path in the workspace, with the folder's name if there are several folders; else the base name. */
export function attachmentName(uri: vscode.Uri): string {
  const path = vscode.workspace.asRelativePath(uri);
  const isInside = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  return isInside ? path : path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1) || path;
}

async function findUri(text: string, signal: AbortSignal): Promise<FoundText | SourceFile | string> {
  const uri = vscode.Uri.parse(text, true);
  const name = attachmentName(uri);
  const open = documentOf(uri);
  // The user means the unsaved text.
  const unsaved = await unsavedText(uri);
  if (unsaved !== undefined) return textFile(uri, open, unsaved);
  const stat = await Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => undefined);
  if (!stat) return `${name} can't be read: there is no such file.`;
  if (stat.type & vscode.FileType.Directory) return findFolder(uri, name, signal);
  if (stat.size > maxHandedBytes) return `${name} was not attached: it is too large.`;
  const bytes = await vscode.workspace.fs.readFile(uri);
  const shown = await shownAsText(uri, open, bytes);
  if (typeof shown === "string") return textFile(uri, open, shown);
  if (shown) return shown.problem;
  const realPath = await realPathOf(uri);
  const languageId = open?.languageId ?? languageOf(name);
  return {
    kind: "bytes",
    name,
    uri: uri.toString(),
    bytes,
    size: bytes.byteLength,
    ...(realPath === undefined ? {} : { realPath }),
    ...(languageId ? { languageId } : {}),
  };
}

/**
 * The text of a file as an editor shows it, or the reason why it is not text. Undefined if the file is closed and in UTF-8,
 * or if its type is refused.
 */
async function shownAsText(
  uri: vscode.Uri,
  open: vscode.TextDocument | undefined,
  bytes: Uint8Array,
): Promise<string | { readonly problem: string } | undefined> {
  const name = attachmentName(uri);
  const { kind } = fileTypeOf(name, bytes);
  if ((kind !== "text" && kind !== "binary") || (!open && isPlainText(uri, bytes))) return undefined;
  const text = await decodedAsShown(uri, name, bytes).catch((error: unknown) => error);
  if (typeof text === "string") return text;
  return kind === "text" && text instanceof Error ? { problem: text.message } : undefined;
}

function textFile(uri: vscode.Uri, open: vscode.TextDocument | undefined, text: string): FoundText {
  const name = attachmentName(uri);
  const languageId = open?.languageId ?? languageOf(name);
  return { name, uri: uri.toString(), ...(languageId ? { languageId } : {}), kind: "file", text };
}

/** Limit of listed files; further files are not counted. */
const maxFolderFiles = 5000;

async function findFolder(uri: vscode.Uri, name: string, signal: AbortSignal): Promise<FoundText | string> {
  const uris = await filesOf(uri, signal);
  if (uris.length === 0) return `${name} contains no files to attach.`;
  const files = uris.map((file) => ({
    path: file.path.slice(uri.path.length).replace(/^\//, ""),
    read: async () => {
      if (await leadsAway(uri, file)) throw new Error("a link leads outside the folder or to a file of keys");
      const { size } = await vscode.workspace.fs.stat(file);
      if (size > 4 * maxTextBytes) throw new Error("too large");
      const unsaved = await unsavedText(file);
      return unsaved === undefined ? vscode.workspace.fs.readFile(file) : new TextEncoder().encode(unsaved);
    },
  }));
  return { kind: "folder", name: `${name}/`, uri: uri.toString(), ...(await folderText(files, signal)) };
}

/** Without those that the search leaves out, unless it leaves out the folder. */
async function filesOf(uri: vscode.Uri, signal: AbortSignal): Promise<readonly vscode.Uri[]> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!folder) return filesBelow(uri, { most: maxFolderFiles, signal });
  const below = uri.path.slice(folder.uri.path.length).replace(/^\/|\/$/g, "");
  return listFiles(folder, below, { maxFiles: maxFolderFiles, signal });
}

/** Links are resolved before the check, because the target's name may look like a secret. */
async function leadsAway(folder: vscode.Uri, file: vscode.Uri): Promise<boolean> {
  if (file.scheme !== "file") return false;
  const place = await placeInside([folder.fsPath], file.fsPath);
  return place === undefined || (looksSecret(place) && !looksSecret(file.path));
}

async function realPathOf(uri: vscode.Uri): Promise<string | undefined> {
  return uri.scheme === "file" ? realpath(uri.fsPath).catch(() => undefined) : undefined;
}

/** The language of a code fence; for most languages, highlighters accept the file extension. */
function languageOf(name: string): string | undefined {
  return /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase();
}

/**
 * The selected text of the active terminal. VS Code offers it through the clipboard only, so the clipboard is restored
 * afterwards.
 */
async function terminalSelection(): Promise<string | undefined> {
  if (!vscode.window.activeTerminal) return undefined;
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  const marker = "\u200b";
  await clipboard.writeText(marker);
  try {
    await vscode.commands.executeCommand("workbench.action.terminal.copySelection");
    const copied = await clipboard.readText();
    return copied === marker || copied.trim() === "" ? undefined : copied;
  } finally {
    await clipboard.writeText(before);
  }
}

/** Opens the source of an attachment, or its stored content if the source no longer exists. */
export async function openAttachment(attachment: Attachment | undefined, blobs: BlobStore): Promise<void> {
  if (!attachment) return;
  const { kind, uri, line, blob } = attachment;
  if (uri !== undefined) {
    const place = vscode.Uri.parse(uri);
    if (kind === "folder") return void (await vscode.commands.executeCommand("revealInExplorer", place));
    const isThere = await Promise.resolve(vscode.workspace.fs.stat(place)).then(
      () => true,
      () => place.scheme === "untitled",
    );
    const at = line === undefined ? undefined : new vscode.Range(line - 1, 0, line - 1, 0);
    if (isThere)
      return void (await vscode.commands.executeCommand("vscode.open", place, at ? { selection: at } : {}));
  }
  const content = await blobs.read(blob);
  // The name may come from an imported file, so only the stored blob is opened.
  if (content && (kind === "image" || kind === "document"))
    return void (await vscode.commands.executeCommand(
      "vscode.open",
      vscode.Uri.file(join(blobs.directory, blob)),
    ));
  // An untitled document, because the blob must not be edited.
  const text = Buffer.from(content ?? "").toString("utf8");
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: text }));
}
