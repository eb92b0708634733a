import * as vscode from "vscode";
import { changeableUri } from "../../../changes/engine/files/changeablePlace.ts";
import { isElided } from "../../../shared/text/elision.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";
import { withoutLinks } from "../../../shared/text/html/withoutLinks.ts";
import type { ToHost } from "../../protocol/chatProtocol.ts";
import { fileInWorkspace, leavesFolder } from "../attachments/sources/namedFiles.ts";
import { fileOfPatch, isPatch } from "./patchText.ts";
import { isLinkOut, type Proposals } from "./proposals.ts";
import { type LineSpan, type Proposed, proposedText } from "./proposedText.ts";

/** Code of an answer and the action of the button that was pressed. */
export type Use = Extract<ToHost, { readonly type: "useCode" }>["body"];

/** Actions for code that matches no place in a file. */
const choices = { insert: "Insert at Cursor", compare: "Compare as Whole File", copy: "Copy" } as const;

interface Target {
  readonly document: vscode.TextDocument;
  readonly selection: LineSpan | undefined;
}

type Unplaced = Extract<Proposed, { readonly kind: "unplaced" }>;

/** A file that the code would be. */
interface NewFile {
  readonly uri: vscode.Uri;
  readonly text: string;
}

/** A target that is not there, but can be created. */
interface Unmade {
  readonly created: NewFile | undefined;
}

function createLabel({ uri }: NewFile): string {
  return `Create ${visibleLine(vscode.workspace.asRelativePath(uri))}`;
}

/**
 * Shows a diff of a file with this code applied. The file is the one that the fence or the diff names, else the active
 * editor's. If that is ambiguous, it explains why and offers other actions; it changes nothing.
 */
export async function applyCode(
  use: Use,
  proposals: Proposals,
  insert: (use: Use) => Promise<void>,
): Promise<void> {
  const target = await targetOf(use);
  if ("reason" in target) {
    const chosen = await offer(use, target, insert);
    if (chosen !== undefined && target.created && chosen === createLabel(target.created))
      await proposals.showNew(target.created.uri, target.created.text);
    return;
  }
  const { document, selection } = target;
  const result = proposedText(document.getText(), use, selection, baseName(document.uri.path));
  if (result.kind === "text") return proposals.show(document, result.text);
  if (result.kind === "same")
    return void vscode.window.showInformationMessage("The file already contains this code.");
  const chosen = await offer(use, result, insert);
  if (chosen === choices.compare && result.whole !== undefined) await proposals.show(document, result.whole);
}

async function offer(
  use: Use,
  { reason, whole, created }: Unplaced & Partial<Unmade>,
  insert: (use: Use) => Promise<void>,
) {
  const offered = [
    ...(created ? [createLabel(created)] : []),
    choices.insert,
    ...(whole === undefined ? [] : [choices.compare]),
    choices.copy,
  ];
  const sentence = withoutLinks(`${reason} Nothing was changed.`);
  const chosen = await vscode.window.showInformationMessage(sentence, ...offered);
  if (chosen === choices.insert) await insert(use);
  if (chosen === choices.copy) await vscode.env.clipboard.writeText(use.text);
  return chosen;
}

async function targetOf(use: Use): Promise<Target | (Unplaced & Partial<Unmade>)> {
  const named = use.path ?? fileOfPatch(use.language, use.text);
  const editor = meantEditor();
  // A path that may not be used is no path of a file that is missing: nothing takes its place.
  if (named !== undefined && leavesFolder(named))
    return { kind: "unplaced", reason: `${named} is outside the workspace.` };
  const uri =
    named === undefined ? editor?.document.uri : ((await fileInWorkspace(named)) ?? standIn(named, editor));
  if (!uri) return missing(named, use);
  if (await isLinkOut(uri))
    return {
      kind: "unplaced",
      reason: `${baseName(uri.path)} is behind a link that leads outside the workspace.`,
    };
  const document = await vscode.workspace.openTextDocument(uri);
  return { document, selection: editor?.document === document ? selectionOf(editor) : undefined };
}

/** The active editor, else the only one that is shown. */
function meantEditor(): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  return activeTextEditor ?? (visibleTextEditors.length === 1 ? visibleTextEditors[0] : undefined);
}

function selectionOf({ document, selection }: vscode.TextEditor): LineSpan {
  return { start: document.offsetAt(selection.start), end: document.offsetAt(selection.end) };
}

/** Why there is no file to apply code to, and the file that could be created. */
async function missing(named: string | undefined, use: Use): Promise<Unplaced & Unmade> {
  if (named === undefined)
    return { kind: "unplaced", reason: "No editor is open to apply the code to.", created: undefined };
  const reason = `The workspace has no file ${named}.`;
  return { kind: "unplaced", reason, created: await newFile(named, use) };
}

/** The file that code names and the workspace lacks; undefined if it may not be created, or if the code is no whole file. */
async function newFile(named: string, use: Use): Promise<NewFile | undefined> {
  if (isPatch(use.language, use.text.split(/\r\n?|\n/)) || isElided(use.text.split("\n"))) return undefined;
  const made = proposedText("", use, undefined, baseName(named));
  if (made.kind !== "text") return undefined;
  const uri = await changeableUri(pathOfNew(named)).catch(() => undefined);
  return uri && { uri, text: made.text.endsWith("\n") ? made.text : `${made.text}\n` };
}

/** A name without a folder is that of a file beside the active one, as tests are. */
function pathOfNew(named: string): string {
  const path = named.replaceAll("\\", "/").replace(/^(?:\.?\/)+/, "");
  const active = vscode.window.activeTextEditor?.document.uri;
  const folder = active && vscode.workspace.getWorkspaceFolder(active);
  if (path.includes("/") || !folder) return path;
  const beside = vscode.workspace.asRelativePath(active).split("/").slice(0, -1);
  return [...beside, path].join("/");
}

/** Replaces a named file that does not exist: the active one, if it has the same base name or is empty. */
function standIn(named: string, editor: vscode.TextEditor | undefined): vscode.Uri | undefined {
  if (!editor) return undefined;
  const { uri } = editor.document;
  const isFor = baseName(uri.path) === baseName(named) || editor.document.getText().trim() === "";
  return isFor ? uri : undefined;
}

function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? "";
}
