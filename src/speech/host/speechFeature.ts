import type * as vscode from "vscode";
import type { RecentItem } from "../../session/recentResults.ts";
import { whenText } from "../../shared/time/whenText.ts";
import type { PlayerControl } from "../protocol/speechProtocol.ts";
import type { SpeechDeps } from "./deps.ts";
import { PlayerView } from "./playerView.ts";
import {
  fromCursor,
  looseText,
  type ReadTarget,
  selectedText,
  showUnreadable,
  wholeDocument,
} from "./readTarget.ts";
import { createReadingStore, type StoredReading } from "./sound/readingStore.ts";
import { SoundStore } from "./sound/soundStore.ts";
import { createSpeechController } from "./speechController.ts";

/** The commands of speech. Loaded by the first one. */
export interface SpeechFeature extends vscode.Disposable {
  readSelection(): Promise<void>;
  readFromCursor(): Promise<void>;
  /** The active document if `uri` is undefined. */
  readDocument(uri: vscode.Uri | undefined): Promise<void>;
  /** Reads Markdown without a document; other values are ignored. */
  readText(text: unknown, title: unknown): Promise<void>;
  showPlayer(): Promise<void>;
  control(control: PlayerControl): void;
  stop(): void;
  save(): Promise<void>;
  cloneVoice(): Promise<void>;
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
  const read = async (target: ReadTarget | string) => {
    if (typeof target === "string") await showUnreadable(target);
    else await controller.read(target);
  };
  return {
    readSelection: async () => read(selectedText()),
    readFromCursor: async () => read(fromCursor()),
    readDocument: async (uri) => read(await wholeDocument(uri)),
    async readText(text, title) {
      if (typeof text === "string") await read(looseText(text, typeof title === "string" ? title : "Text"));
    },
    showPlayer: () => controller.show(),
    control: (control) => controller.control(control),
    stop: () => controller.stop(),
    save: () => controller.save(),
    cloneVoice: () => controller.cloneVoice(),
    recent: async () =>
      (await readings.list()).map((stored) => toItem(stored, () => controller.open(stored))),
    dispose() {
      controller.dispose();
      view.dispose();
    },
  };
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
