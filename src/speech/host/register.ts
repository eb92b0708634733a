import * as vscode from "vscode";
import { registerFeatureCommands } from "../../platform/editor/featureCommands.ts";
import { Lazy } from "../../platform/lazy.ts";
import { commands } from "../../shared/ids.ts";
import type { SpeechDeps } from "./deps.ts";

/** Registers speech. The player and the feature are loaded by the first command. */
export function registerSpeech(deps: SpeechDeps): vscode.Disposable {
  const feature = new Lazy(async () => (await import("./speechFeature.ts")).createSpeechFeature(deps));
  return vscode.Disposable.from(
    registerFeatureCommands(feature, {
      [commands.speechReadSelection]: (speech) => speech.readSelection(),
      [commands.speechReadFromCursor]: (speech) => speech.readFromCursor(),
      [commands.speechReadDocument]: (speech, uri) =>
        speech.readDocument(uri instanceof vscode.Uri ? uri : undefined),
      [commands.speechReadText]: (speech, text, title) => speech.readText(text, title),
      [commands.speechOpenPlayer]: (speech) => speech.showPlayer(),
      [commands.speechToggle]: (speech) => speech.control("toggle"),
      [commands.speechNextSentence]: (speech) => speech.control("next"),
      [commands.speechPreviousSentence]: (speech) => speech.control("previous"),
      [commands.speechStop]: (speech) => speech.stop(),
      [commands.speechSave]: (speech) => speech.save(),
      [commands.speechCloneVoice]: (speech) => speech.cloneVoice(),
    }),
    deps.recents.add({ label: "Speech", list: async () => (await feature.get()).recent() }),
    feature,
  );
}
