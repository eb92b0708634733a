import { basename } from "node:path/posix";
import * as vscode from "vscode";
import { plainHost, publicHosts, publicHostsAndThisMachine } from "../../api/transport/boundedFetch.ts";
import { chosenFiles } from "../../platform/editor/commands/commandFiles.ts";
import type { DomainCommands } from "../../platform/editor/commands/domainCommands.ts";
import { askModally } from "../../platform/editor/dialogs/modal.ts";
import { LastEditor } from "../../platform/editor/lastEditor.ts";
import { tickTour } from "../../platform/editor/tour.ts";
import { runErrorAction } from "../../platform/errors/errorActions.ts";
import { explain } from "../../platform/errors/errorMessage.ts";
import { createTemporaryFiles, temporaryListsIn } from "../../platform/files/durable/temporaryFiles.ts";
import type { RecentItem } from "../../session/recentResults.ts";
import { hasService } from "../../session/sandbox/readiness.ts";
import { confirmPrice } from "../../session/spend/confirmPrice.ts";
import { formatBytes, maxHandedBytes } from "../../shared/chat/chatAttachments.ts";
import { imageFormats } from "../../shared/images/imageFormats.ts";
import { messageOf } from "../../shared/messageOf.ts";
import { commands } from "../../shared/names/ids.ts";
import { isThisMachine } from "../../shared/web/privateHost.ts";
import { pictureUrlProblemAt } from "../../shared/web/urlProblem.ts";
import type { FromStudio } from "../protocol/studioProtocol.ts";
import type { GalleryItem, StudioDraft, Way } from "../protocol/studioState.ts";
import type { ImagesDeps } from "./deps.ts";
import { chooseFolder, rememberedFolder } from "./gallery/chooseFolder.ts";
import { createPictureActions } from "./gallery/pictureActions.ts";
import { Thumbs } from "./gallery/thumbs.ts";
import type { ImageSchemas } from "./imageSchemas.ts";
import { previewOf } from "./studio/addressPicture.ts";
import { createLayerStore, type LayerStore } from "./studio/layers/layerStore.ts";
import { type EditorRequest, isForEditor } from "./studio/requests/studioRequests.ts";
import { StudioController } from "./studio/studioController.ts";
import { StudioTab } from "./studio/studioTab.ts";

/** The image studio, behind its commands. */
export interface ImagesFeature extends vscode.Disposable {
  readonly commands: DomainCommands<"images">;
  /** The latest pictures of the gallery. */
  recent(): Promise<readonly RecentItem[]>;
  /** Fills a tab that the editor has restored. */
  restore(panel: vscode.WebviewPanel): void;
}

const draftKey = "images.draft";
const draftPauseMs = 500;
const mostRecent = 30;

export function createImagesFeature(deps: ImagesDeps, schemas: ImageSchemas): ImagesFeature {
  const { session, log, workspaceState, storageUri } = deps;
  const report = (error: unknown) => log.error(error instanceof Error ? error : String(error));
  const editor = new LastEditor();
  const drafts = createDraftSaver(workspaceState);
  const stored = createLayerStore(storageUri && vscode.Uri.joinPath(storageUri, "studio").fsPath);
  const temporary = createTemporaryFiles(temporaryListsIn(deps.globalStorageUri.fsPath));
  const folderOf = [workspaceState, schemas, temporary] as const;
  const controller = new StudioController({
    ...studioServices(deps, schemas),
    ensureFolder: () => chooseFolder(...folderOf),
    post: (message) => tab.post(message),
    saveDraft: drafts.save,
    saveNote: stored.saveNote,
    saveLayers: (layers) => void stored.save(layers).catch(report),
    report,
  });
  const pictures = createPictureActions({ controller, captions: deps, place: () => editor.target });
  const handle = async (message: FromStudio): Promise<unknown> => {
    if (isForEditor(message)) return handleInEditor(message);
    if (message.type === "make" && !(await hasService(deps))) return undefined;
    return controller.handle(message);
  };
  const handleInEditor = async (message: EditorRequest): Promise<unknown> => {
    switch (message.type) {
      case "act":
        return runAction(controller, message.body.action);
      case "chooseFolder":
        return showOtherFolder(controller, ...folderOf);
      case "addFiles":
        return addAll(await askPictures());
      case "addUris":
        return addAll(message.body.uris.map((uri) => vscode.Uri.parse(uri, true)));
      case "addAddress":
        return addAddress(controller, session, message.body.url);
      default:
        return pictures.act(message);
    }
  };
  const addAll = (files: readonly vscode.Uri[]) => ready.then(() => addPictures(controller, files));
  const tab = new StudioTab({
    ...deps,
    ...schemas,
    handle,
    onVisible(isVisible) {
      if (isVisible) void controller.refreshGallery().catch(report);
    },
  });
  const restored = restoreWork(controller, stored, schemas);
  const shown = controller.show(rememberedFolder(...folderOf));
  const ready = Promise.all([restored.catch(report), shown.catch(report)]);
  const changed = session.onDidChangeActive(() => void controller.serviceChanged().catch(report));
  return {
    commands: {
      [commands.imagesOpenStudio]: () => tab.show(),
      // Opens the studio with these pictures to edit; asks for files if none are given.
      async [commands.imagesEdit](clicked, selected) {
        const files = chosenFiles(clicked, selected);
        const chosen = files.length > 0 ? files : await askPictures();
        if (chosen.length === 0) return;
        tab.show();
        await addAll(chosen);
      },
    },
    async recent() {
      await ready;
      const items = (await controller.folder?.gallery.items(0, mostRecent)) ?? [];
      return toRecentItems(items, (name) => {
        controller.reveal(name, tab.isVisible);
        tab.show();
      });
    },
    restore: (panel) => tab.restore(panel),
    dispose() {
      controller.stop();
      drafts.flush();
      vscode.Disposable.from(changed, editor, tab, temporary).dispose();
    },
  };
}

function runAction(
  controller: StudioController,
  action: Extract<EditorRequest, { type: "act" }>["body"]["action"],
): Promise<unknown> {
  return action === "retry" ? controller.handle({ v: 1, type: "make", body: {} }) : runErrorAction(action);
}

/** Restores pictures, strokes and a running request of an earlier window. */
async function restoreWork(
  controller: StudioController,
  stored: LayerStore,
  { parseStrokes }: ImageSchemas,
): Promise<void> {
  const [layers, strokes, request] = await Promise.all([
    stored.read(),
    stored.readNote("strokes"),
    stored.readNote("request"),
  ]);
  controller.restore(layers, { strokes: parseStrokes(strokes), request });
}

/** The dependencies of the controller: session, settings and disk. */
function studioServices(deps: ImagesDeps, schemas: ImageSchemas) {
  const { session, workspaceState, globalStorageUri } = deps;
  return {
    onStored: () => tickTour("painted"),
    async service() {
      const { api, dialect, connection } = await session.client({ kind: "studio" });
      return { api, dialect, name: connection.name, isSandbox: connection.kind === "sandbox" };
    },
    serviceName: () => session.active?.name,
    confirm: (mode: Way, usd: number | undefined, isInpainting: boolean) =>
      confirmRequest(deps, isInpainting ? "inpaint" : mode, usd),
    explain(error: unknown) {
      const { active } = session;
      const context = active ? { service: active.name, kind: active.kind } : { service: "The service" };
      return explain(error, context);
    },
    addressProblem: async (url: string) => pictureUrlProblemAt(await rootOf(session), url),
    async previewOf(url: string) {
      const isHere = isThisMachine(plainHost(new URL(await rootOf(session))));
      return previewOf(url, isHere ? publicHostsAndThisMachine : publicHosts);
    },
    thumbs: new Thumbs(vscode.Uri.joinPath(globalStorageUri, "thumbnails").fsPath),
    draft: schemas.parseDraft(workspaceState.get(draftKey)),
    imageAmount: schemas.imageAmount,
    now: Date.now,
  };
}

/** Of the active service. Throws without one. */
async function rootOf(session: ImagesDeps["session"]): Promise<string> {
  return (await session.client({ kind: "studio" })).root;
}

async function showOtherFolder(
  controller: StudioController,
  ...from: Parameters<typeof chooseFolder>
): Promise<void> {
  const chosen = await chooseFolder(...from);
  if (chosen) await controller.show(chosen);
}

/** Adds the picture at an address, or at one that the user enters. */
async function addAddress(
  controller: StudioController,
  session: ImagesDeps["session"],
  given: string,
): Promise<void> {
  const address = given || (await askAddress(session));
  if (address) await controller.addAddress(address.trim());
}

async function askAddress(session: ImagesDeps["session"]): Promise<string | undefined> {
  const root = await rootOf(session);
  return vscode.window.showInputBox({
    title: "Add Picture by Address",
    prompt: `${session.active?.name ?? "The service"} reads the picture from this address. This computer reads it once, too, for the preview.`,
    placeHolder: "https://example.org/picture.jpg",
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === "" ? undefined : pictureUrlProblemAt(root, text.trim())),
  });
}

function toRecentItems(items: readonly GalleryItem[], open: (name: string) => void): readonly RecentItem[] {
  return items.flatMap(({ name, facts }) => {
    // A picture without metadata was not generated here.
    if (!facts) return [];
    const label = facts.prompt.replace(/\s+/g, " ").slice(0, 100);
    const description = `${facts.model}, ${facts.at.slice(0, 16).replace("T", " ")} UTC`;
    return [{ label, description, icon: "file-media", open: async () => open(name) }];
  });
}

const priceTexts: Readonly<Record<Way | "inpaint", { readonly title: string; readonly button: string }>> = {
  generate: { title: "Make this picture", button: "Make" },
  edit: { title: "Edit this picture", button: "Edit" },
  inpaint: { title: "Inpaint this picture", button: "Inpaint" },
  combine: { title: "Make one picture of these", button: "Make" },
};

async function confirmRequest(
  deps: ImagesDeps,
  mode: Way | "inpaint",
  usd: number | undefined,
): Promise<boolean> {
  const { title, button } = priceTexts[mode];
  if (usd !== undefined)
    return confirmPrice(deps, {
      action: `image.${mode === "inpaint" ? "combine" : mode}`,
      title,
      button,
      usd,
    });
  const detail = "The service lists no price for this model.";
  return (await askModally(`${title}?`, { detail }, button)) === button;
}

/** Saves the studio's settings a while after the last change, for the next reload. */
function createDraftSaver(state: vscode.Memento) {
  let timer: NodeJS.Timeout | undefined;
  let last: StudioDraft | undefined;
  const saveNow = () => {
    clearTimeout(timer);
    timer = undefined;
    if (last) void state.update(draftKey, last);
    last = undefined;
  };
  return {
    save(draft: StudioDraft) {
      last = draft;
      timer ??= setTimeout(saveNow, draftPauseMs);
    },
    flush: saveNow,
  };
}

async function addPictures(controller: StudioController, files: readonly vscode.Uri[]): Promise<void> {
  if (files.length === 0) return;
  const { read, problem } = await readPictures(files);
  controller.add(read);
  if (problem !== undefined) controller.showError(problem);
}

interface ReadPicture {
  readonly name: string;
  readonly data: Uint8Array;
}

/** Reads files of any file system; `problem` names those that could not be read. */
async function readPictures(
  files: readonly vscode.Uri[],
): Promise<{ readonly read: readonly ReadPicture[]; readonly problem: string | undefined }> {
  const read: ReadPicture[] = [];
  const problems: string[] = [];
  for (const uri of files) {
    const name = basename(uri.path);
    try {
      const { size, type } = await vscode.workspace.fs.stat(uri);
      if (type & vscode.FileType.Directory) problems.push(`${name} is a folder.`);
      else if (size > maxHandedBytes)
        problems.push(`${name} is too large to be resized: ${formatBytes(size)}.`);
      else read.push({ name, data: await vscode.workspace.fs.readFile(uri) });
    } catch (error) {
      problems.push(`${name} can't be read: ${messageOf(error)}`);
    }
  }
  return { read, problem: problems.length === 0 ? undefined : problems.join(" ") };
}

async function askPictures(): Promise<readonly vscode.Uri[]> {
  const chosen = await vscode.window.showOpenDialog({
    title: "Pictures to Edit",
    openLabel: "Edit",
    canSelectMany: true,
    filters: { Pictures: imageFormats.flatMap(({ extensions }) => [...extensions]), "All files": ["*"] },
  });
  return chosen ?? [];
}
