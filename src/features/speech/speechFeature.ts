import type * as vscode from "vscode";
import type { RecentItem } from "../../session/recentResults.ts";
import type { PlayerControl } from "../../shared/speechProtocol.ts";
import { whenText } from "../../shared/whenText.ts";
import { createPlayerView } from "./playerView.ts";
import {
  fromCursor,
  looseText,
  type ReadTarget,
  sayUnreadable,
  selectedText,
  wholeDocument,
} from "./readTarget.ts";
import type { SpeechDeps } from "./register.ts";
import { createReadingStore, type KeptReading } from "./sound/readingStore.ts";
import { createSoundStore } from "./sound/soundStore.ts";
import { createSpeechDesk } from "./speechController.ts";

/** All that is behind the commands, once one of them is used. */
export interface SpeechFeature extends vscode.Disposable {
  readSelection(): Promise<void>;
  readFromCursor(): Promise<void>;
  /** The document in front where none is named. */
  readDocument(uri: vscode.Uri | undefined): Promise<void>;
  /** Reads Markdown that is in no document; whatever is no text is left alone. */
  readText(text: unknown, title: unknown): Promise<void>;
  showPlayer(): Promise<void>;
  control(control: PlayerControl): void;
  stop(): void;
  save(): Promise<void>;
  cloneVoice(): Promise<void>;
  /** What was read, newest first. */
  recent(): Promise<readonly RecentItem[]>;
}

export function createSpeechFeature(deps: SpeechDeps): SpeechFeature {
  const folder = `${deps.globalStorageUri.fsPath}/speech`;
  const readings = createReadingStore(`${folder}/readings`);
  const view = createPlayerView({ ...deps, hear: (message) => desk.hear(message) });
  const desk = createSpeechDesk({
    ...deps,
    view,
    readings,
    store: createSoundStore({ folder: `${folder}/sounds` }),
  });
  const read = async (target: ReadTarget | string) => {
    if (typeof target === "string") await sayUnreadable(target);
    else await desk.read(target);
  };
  return {
    readSelection: async () => read(selectedText()),
    readFromCursor: async () => read(fromCursor()),
    readDocument: async (uri) => read(await wholeDocument(uri)),
    async readText(text, title) {
      if (typeof text === "string") await read(looseText(text, typeof title === "string" ? title : "Text"));
    },
    showPlayer: () => desk.show(),
    control: (control) => desk.control(control),
    stop: () => desk.stop(),
    save: () => desk.save(),
    cloneVoice: () => desk.cloneVoice(),
    recent: async () => (await readings.list()).map((kept) => toItem(kept, () => desk.open(kept))),
    dispose() {
      desk.dispose();
      view.dispose();
    },
  };
}

function toItem(kept: KeptReading, open: () => Promise<void>): RecentItem {
  const count = kept.sentences.length;
  const size = count === 1 ? "1 sentence" : `${count.toLocaleString("en-US")} sentences`;
  return {
    label: kept.title,
    description: `${size}, ${whenText(kept.atMs, Date.now())}`,
    icon: "unmute",
    open,
  };
}
