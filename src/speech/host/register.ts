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
      [commands.speechSelection]: (speech) => speech.readSelection(),
      [commands.speechCursor]: (speech) => speech.readFromCursor(),
      [commands.speechDocument]: (speech, uri) =>
        speech.readDocument(uri instanceof vscode.Uri ? uri : undefined),
      [commands.speechText]: (speech, text, title) => speech.readText(text, title),
      [commands.speechPlayer]: (speech) => speech.showPlayer(),
      [commands.speechToggle]: (speech) => speech.control("toggle"),
      [commands.speechNext]: (speech) => speech.control("next"),
      [commands.speechPrevious]: (speech) => speech.control("previous"),
      [commands.speechStop]: (speech) => speech.stop(),
      [commands.speechSave]: (speech) => speech.save(),
      [commands.voiceClone]: (speech) => speech.cloneVoice(),
    }),
    deps.recents.add({ label: "Speech", list: async () => (await feature.get()).recent() }),
    feature,
  );
}
