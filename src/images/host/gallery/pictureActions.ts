import * as vscode from "vscode";
import { warnModally } from "../../../platform/editor/dialogs/modal.ts";
import type { InsertTarget } from "../../../platform/editor/lastEditor.ts";
import { withoutLinks } from "../../../shared/text/html/withoutLinks.ts";
import type { PictureFacts } from "../../protocol/studioState.ts";
import type { EditorRequest } from "../studio/requests/studioRequests.ts";
import type { StudioController } from "../studio/studioController.ts";
import { askCaption, type CaptionDeps } from "./captions.ts";
import { uriOf } from "./chooseFolder.ts";
import { insertPicture } from "./insertPicture.ts";
import { pictureMarkdown, relativePath } from "./pictureMarkup.ts";
import { plainName } from "./pictureNames.ts";

export interface PictureActionsDeps {
  readonly captions: CaptionDeps;
  readonly controller: StudioController;
  readonly place: () => InsertTarget | undefined;
}

type PictureRequest = Extract<
  EditorRequest,
  { readonly type: "copy" | "insert" | "saveAs" | "openPicture" | "remove" }
>;

/** Editor actions for a picture of the gallery. */
export interface PictureActions {
  act(message: PictureRequest): Promise<void>;
}

/** The caption begins as the prompt, if that describes the picture: what an edit was to change says little of it. */
function firstCaption(facts: PictureFacts | null): string {
  return facts?.way === "generate" ? facts.prompt.replace(/\s+/g, " ").trim() : "";
}

export function createPictureActions({ controller, place, captions }: PictureActionsDeps): PictureActions {
  const uriOfPicture = (name: string) =>
    controller.folder && vscode.Uri.joinPath(uriOf(controller.folder), name);
  const copy = async (name: string, as: "path" | "markdown") => {
    const uri = uriOfPicture(name);
    if (!uri || !controller.folder) return;
    const { facts } = await controller.folder.gallery.facts(name);
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri.path;
    const path = root === undefined ? uri.path : relativePath(root, uri.path);
    const text = as === "path" ? uri.fsPath : pictureMarkdown(path, facts?.prompt ?? plainName(name));
    await vscode.env.clipboard.writeText(text);
    controller.showNotice(as === "path" ? "The path was copied." : "The picture was copied as markdown.");
  };
  const insert = async (name: string, as: "markdown" | "html") => {
    const uri = uriOfPicture(name);
    const data = await controller.folder?.gallery.read(name);
    if (!uri || !data || !controller.folder) return;
    const { facts } = await controller.folder.gallery.facts(name);
    // The place is that of now: the cursor may be elsewhere when the caption is written.
    const where = place();
    const text = await askCaption(captions, data, firstCaption(facts));
    if (text === undefined) return;
    const size = facts ? { width: facts.width, height: facts.height } : undefined;
    const inserted = await insertPicture({ uri, name, data, text, size }, as, where);
    if (inserted.isDone) controller.showNotice(inserted.text);
    else controller.showError(inserted.text);
  };
  const saveAs = async (name: string) => {
    const unsaved = controller.unsaved?.name === name ? controller.unsaved : undefined;
    const data = unsaved?.data ?? (await controller.folder?.gallery.read(name));
    if (!data) return;
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    const extension = name.slice(name.lastIndexOf(".") + 1);
    const target = await vscode.window.showSaveDialog({
      title: "Save Picture As",
      filters: { Picture: [extension] },
      ...(root ? { defaultUri: vscode.Uri.joinPath(root, plainName(name)) } : {}),
    });
    if (!target) return;
    await vscode.workspace.fs.writeFile(target, data);
    const where = vscode.workspace.asRelativePath(target);
    if (unsaved) controller.unsavedStored(where);
    else controller.showNotice(`Saved as ${where}.`);
  };
  const remove = async (name: string) => {
    const yes = "Remove";
    const question = `Remove ${withoutLinks(name)}?`;
    const detail =
      "The picture and its metadata are moved to the trash, if there is one. The picture was paid for.";
    const answer = await warnModally(question, { detail }, yes);
    if (answer !== yes || !controller.folder) return;
    await controller.folder.gallery.remove(name);
    await controller.refreshGallery();
  };
  return {
    async act({ type, body }) {
      const { name } = body;
      switch (type) {
        case "copy":
          return copy(name, body.as);
        case "insert":
          return insert(name, body.as);
        case "saveAs":
          return saveAs(name);
        case "openPicture": {
          const uri = uriOfPicture(name);
          if (uri) await vscode.commands.executeCommand("vscode.open", uri);
          return;
        }
        case "remove":
          return remove(name);
      }
    },
  };
}
