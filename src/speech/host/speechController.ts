import * as vscode from "vscode";
import { runErrorAction } from "../../platform/errors/errorActions.ts";
import { hasService, sayFailure } from "../../session/sandbox/readiness.ts";
import { errorActionIds } from "../../shared/errorActions.ts";
import type { FromPlayer, PlayerControl } from "../protocol/speechProtocol.ts";
import type { SpeechDeps } from "./deps.ts";
import { PlayerStatus } from "./player/playerStatus.ts";
import type { PlayerView } from "./player/playerView.ts";
import { Highlight } from "./reading/highlight.ts";
import { ReadAloud } from "./reading/readAloud.ts";
import type { ReadTarget } from "./reading/readTarget.ts";
import { newReadingId, type ReadingStore, type StoredReading } from "./sound/readingStore.ts";
import type { SoundStore } from "./sound/soundStore.ts";
import { Sounds } from "./sound/sounds.ts";
import { SoundFormats } from "./soundFormats.ts";
import { SpeechModels } from "./speechModels.ts";
import { createChoices } from "./voices/choices.ts";
import { createClonedVoices } from "./voices/clonedVoices.ts";
import { createVoiceController } from "./voices/voiceController.ts";

/** Connects the commands and the player with the reading, the models and the voices. */
export interface SpeechController extends vscode.Disposable {
  read(target: ReadTarget): Promise<void>;
  /** Reads an earlier text again; its stored sounds cost nothing. */
  open(stored: StoredReading): Promise<void>;
  show(): Promise<void>;
  control(control: PlayerControl): void;
  stop(): void;
  save(): Promise<void>;
  cloneVoice(): Promise<void>;
  handle(message: FromPlayer): void;
}

export interface SpeechControllerDeps extends SpeechDeps {
  readonly view: PlayerView;
  readonly readings: ReadingStore;
  readonly store: SoundStore;
}

export function createSpeechController(deps: SpeechControllerDeps): SpeechController {
  const { session, view } = deps;
  const parts = createParts(deps);
  const { models, formats, highlight, status, readAloud } = parts;
  const changedConnection = session.onDidChangeActive(() => {
    readAloud.stop();
    models.forget();
    // A problem of the former service is obsolete.
    status.clear();
    if (formats.isKnown) void status.showModels();
  });
  const controller: SpeechController = {
    read: (target) => readAloud.start({ id: newReadingId(Date.now()), passages: [], index: 0 }, target),
    async open(stored) {
      const uri = stored.uri === undefined ? undefined : vscode.Uri.parse(stored.uri, true);
      try {
        await models.ensure();
        models.restore(stored.choice);
      } catch (error) {
        return sayFailure(deps, error, () => controller.open(stored));
      }
      const index = Math.min(stored.index, stored.sentences.length - 1);
      await readAloud.start({ ...stored, index }, { title: stored.title, uri, sentences: stored.sentences });
    },
    async show() {
      if (await hasService(deps)) await view.show();
    },
    control: (control) => view.post({ v: 1, type: "control", control }),
    stop: () => readAloud.stop(),
    save: () => readAloud.save(),
    cloneVoice: () => parts.voices.clone(),
    handle: (message) =>
      void handle(message, parts).catch((error: unknown) => {
        deps.log.error(
          "a message of the speech player failed",
          error instanceof Error ? error : String(error),
        );
      }),
    dispose() {
      changedConnection.dispose();
      readAloud.dispose();
      highlight.dispose();
    },
  };
  return controller;
}

type Parts = ReturnType<typeof createParts>;

function createParts(deps: SpeechControllerDeps) {
  const { session, view } = deps;
  const clonedVoices = createClonedVoices(deps.globalState);
  const choices = createChoices(deps.globalState);
  const models = new SpeechModels({ session, voices: clonedVoices, choices });
  const formats = new SoundFormats();
  const highlight = new Highlight(() => status.post());
  const status = new PlayerStatus({
    ...deps,
    models,
    voices: clonedVoices,
    current: () => readAloud.current,
    isAway: () => highlight.isAway,
  });
  const sounds = new Sounds({
    client: () => session.client({ kind: "speech" }),
    store: deps.store,
    onPaid({ input, voice = "" }) {
      void clonedVoices.setGone(voice, false);
      readAloud.addCost(models.usdOf([...input].length) ?? 0);
      status.post();
    },
  });
  const readAloud: ReadAloud = new ReadAloud({ ...deps, models, formats, sounds, highlight, status });
  const voices = createVoiceController({
    ...deps,
    voices: clonedVoices,
    models,
    formats,
    sounds,
    post: (message) => view.post(message),
    onVoices: () => status.post(),
    onFailure: (error, voice) => status.fail(error, voice),
    choose: (change) => readAloud.choose(change),
  });
  return { models, formats, highlight, status, readAloud, voices };
}

async function handle(message: FromPlayer, parts: Parts): Promise<void> {
  const { formats, highlight, status, readAloud, voices } = parts;
  switch (message.type) {
    case "ready":
      formats.learn(message.body.plays, message.body.streamsMp3);
      readAloud.reload();
      return status.showModels();
    case "choose":
      return readAloud.choose(message.body.change);
    case "preview":
      return voices.preview(message.body.voice);
    case "cloneVoice":
      return voices.clone();
    case "forgetVoice":
      return voices.forget(message.body.handle);
    case "save":
      return readAloud.save();
    case "comeBack":
      return highlight.comeBack();
    case "stop":
      return readAloud.stop();
    case "reloadModels":
      return status.showModels();
    case "act":
      return act(message.body.action, message.body.index, parts);
    default:
      return readAloud.handle(message);
  }
}

/** Runs an action of the player's problem. */
async function act(
  action: string,
  index: number | null,
  { models, status, readAloud }: Parts,
): Promise<void> {
  if (action === "saveFile") return readAloud.save();
  if (action === "readOn") return readAloud.continueAfter(index ?? 0);
  status.setProblem(undefined);
  if (action === "otherVoice") return readAloud.useOtherVoice();
  const errorAction = errorActionIds.find((id) => id === action);
  if (errorAction === "retry" && !models.loaded) await status.showModels();
  else if (errorAction && errorAction !== "retry") await runErrorAction(errorAction);
}
