import * as vscode from "vscode";
import { commands } from "../../shared/ids.ts";
import type { SpeechDeps } from "./deps.ts";
import type { SpeechFeature } from "./speechFeature.ts";

/** Registers speech. The player and the feature are loaded by the first command. */
export function registerSpeech(deps: SpeechDeps): vscode.Disposable {
  let loading: Promise<SpeechFeature> | undefined;
  const load = async () => (await import("./speechFeature.ts")).createSpeechFeature(deps);
  const feature = () => {
    loading ??= load();
    return loading;
  };
  const command = (id: string, run: (speech: SpeechFeature, ...given: unknown[]) => unknown) =>
    vscode.commands.registerCommand(id, async (...given: unknown[]) => run(await feature(), ...given));
  return vscode.Disposable.from(
    command(commands.speechSelection, (speech) => speech.readSelection()),
    command(commands.speechCursor, (speech) => speech.readFromCursor()),
    command(commands.speechDocument, (speech, uri) =>
      speech.readDocument(uri instanceof vscode.Uri ? uri : undefined),
    ),
    command(commands.speechText, (speech, text, title) => speech.readText(text, title)),
    command(commands.speechPlayer, (speech) => speech.showPlayer()),
    command(commands.speechToggle, (speech) => speech.control("toggle")),
    command(commands.speechNext, (speech) => speech.control("next")),
    command(commands.speechPrevious, (speech) => speech.control("previous")),
    command(commands.speechStop, (speech) => speech.stop()),
    command(commands.speechSave, (speech) => speech.save()),
    command(commands.voiceClone, (speech) => speech.cloneVoice()),
    deps.recents.add({ label: "Speech", list: async () => (await feature()).recent() }),
    { dispose: () => void loading?.then((speech) => speech.dispose()) },
  );
}
