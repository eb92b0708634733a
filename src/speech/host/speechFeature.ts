import * as vscode from "vscode";
import type { DomainCommands } from "../../platform/editor/commands/domainCommands.ts";
import type { RecentItem } from "../../session/recentResults.ts";
import { commands } from "../../shared/names/ids.ts";
import { whenText } from "../../shared/time/whenText.ts";
import { type Skip, skips } from "../protocol/speechProtocol.ts";
import type { SpeechDeps } from "./deps.ts";
import { PlayerView } from "./player/playerView.ts";
import { DocumentTexts } from "./reading/documentTexts.ts";
import {
  fromCursor,
  looseText,
  type ReadTarget,
  selectedText,
  showUnreadable,
  wholeDocument,
} from "./reading/readTarget.ts";
import { createReadingStore, type StoredReading } from "./sound/readingStore.ts";
import { SoundStore } from "./sound/soundStore.ts";
import { createSpeechController } from "./speechController.ts";

/** The commands of speech. Loaded by the first one. */
export interface SpeechFeature extends vscode.Disposable {
  readonly commands: DomainCommands<"speech">;
  /** Earlier readings, newest first. */
  recent(): Promise<readonly RecentItem[]>;
}

export function createSpeechFeature(deps: SpeechDeps): SpeechFeature {
  const folder = `${deps.globalStorageUri.fsPath}/speech`;
  const readings = createReadingStore(`${folder}/readings`);
  const view = new PlayerView({ ...deps, handle: (message) => controller.handle(message) });
  const controller = createSpeechController({
    ...deps,
    view,
    readings,
    store: new SoundStore({ folder: `${folder}/sounds` }),
  });
  const documents = new DocumentTexts(deps.session);
  const read = async (target: ReadTarget | string | undefined) => {
    if (typeof target === "string") await showUnreadable(target);
    else if (target) await controller.read(target);
  };
  return {
    commands: {
      [commands.speechReadSelection]: () => read(selectedText()),
      [commands.speechReadFromCursor]: () => read(fromCursor()),
      // Without a file, the active document.
      [commands.speechReadDocument]: async (uri) =>
        read(await wholeDocument(uri instanceof vscode.Uri ? uri : undefined, documents)),
      // Markdown without a document; other values are ignored.
      async [commands.speechReadText](text, title) {
        if (typeof text === "string") await read(looseText(text, typeof title === "string" ? title : "Text"));
      },
      [commands.speechOpenPlayer]: () => controller.show(),
      [commands.speechToggle]: () => controller.control("toggle"),
      [commands.speechNextSentence]: () => controller.control("next"),
      [commands.speechPreviousSentence]: () => controller.control("previous"),
      [commands.speechSkip]: async (to) => {
        const skip = skips.find((each) => each === to) ?? (await askSkip());
        if (skip) controller.control(skip);
      },
      [commands.speechStop]: () => controller.stop(),
      [commands.speechSave]: () => controller.save(),
      [commands.speechCloneVoice]: () => controller.cloneVoice(),
    },
    recent: async () =>
      (await readings.list()).map((stored) => toItem(stored, () => controller.open(stored))),
    dispose() {
      documents.dispose();
      controller.dispose();
      view.dispose();
    },
  };
}

const skipLabels: Readonly<Record<Skip, string>> = {
  forward: "15 seconds on",
  back: "15 seconds back",
  nextParagraph: "Next paragraph",
  previousParagraph: "Start of the paragraph, or the one before",
  nextHeading: "Next heading",
  previousHeading: "Start of the section, or the one before",
};

async function askSkip(): Promise<Skip | undefined> {
  const items = skips.map((skip) => ({ label: skipLabels[skip], skip }));
  return (await vscode.window.showQuickPick(items, { title: "Skip" }))?.skip;
}

function toItem(stored: StoredReading, open: () => Promise<void>): RecentItem {
  const count = stored.sentences.length;
  const size = count === 1 ? "1 sentence" : `${count.toLocaleString("en-US")} sentences`;
  return {
    label: stored.title,
    description: `${size}, ${whenText(stored.atMs, Date.now())}`,
    icon: "unmute",
    open,
  };
}
