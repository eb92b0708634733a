import * as vscode from "vscode";
import type { TemporaryFiles } from "../../../platform/files/durable/temporaryFiles.ts";
import type { ImageSchemas } from "../imageSchemas.ts";
import type { StudioFolder } from "../studio/studioDeps.ts";
import { folderFiles } from "./folderFiles.ts";
import { createGallery } from "./gallery.ts";

const rememberedKey = "images.folder";
const usualName = "images";

/** The folder that was chosen for this workspace; undefined if none was. */
export function rememberedFolder(
  state: vscode.Memento,
  schemas: ImageSchemas,
  temporary: TemporaryFiles,
): StudioFolder | undefined {
  const stored = state.get<string>(rememberedKey);
  return stored === undefined ? undefined : toFolder(vscode.Uri.parse(stored, true), schemas, temporary);
}

/** Asks for the folder of new pictures and stores the choice. */
export async function chooseFolder(
  state: vscode.Memento,
  schemas: ImageSchemas,
  temporary: TemporaryFiles,
): Promise<StudioFolder | undefined> {
  const uri = await askFolder();
  if (!uri) return undefined;
  await state.update(rememberedKey, uri.toString());
  return toFolder(uri, schemas, temporary);
}

export function uriOf(folder: StudioFolder): vscode.Uri {
  return vscode.Uri.parse(folder.id, true);
}

function toFolder(uri: vscode.Uri, { parseFacts }: ImageSchemas, temporary: TemporaryFiles): StudioFolder {
  return {
    id: uri.toString(),
    label: vscode.workspace.asRelativePath(uri, true),
    gallery: createGallery(folderFiles(uri, temporary), parseFacts),
  };
}

async function askFolder(): Promise<vscode.Uri | undefined> {
  const usual = (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({
    label: `$(folder) ${usualName}`,
    description: name,
    detail: "Created if it does not exist",
    uri: vscode.Uri.joinPath(uri, usualName),
  }));
  const other = { label: "$(folder-opened) Another Folder…", uri: undefined };
  const chosen = await vscode.window.showQuickPick([...usual, other], {
    title: "Select a Folder for Pictures",
    placeHolder: "Prompt, model and cost are saved in a file beside each picture",
    ignoreFocusOut: true,
  });
  if (!chosen) return undefined;
  if (chosen.uri) return chosen.uri;
  const [folder] =
    (await vscode.window.showOpenDialog({
      title: "Folder for Pictures",
      openLabel: "Select Folder",
      canSelectFiles: false,
      canSelectFolders: true,
    })) ?? [];
  return folder;
}
