import * as vscode from "vscode";
import { runErrorAction } from "../../platform/errorActions.ts";
import { explain } from "../../platform/errorMessage.ts";
import { confirmPrice } from "../../session/confirmPrice.ts";
import { hasService, maySend, sayFailure } from "../../session/readiness.ts";
import { errorActionIds } from "../../shared/errorActions.ts";
import { contexts } from "../../shared/ids.ts";
import type { FromPlayer, PlayerControl, PlayerProblem, SpeechChange } from "../../shared/speechProtocol.ts";
import { type Current, toPrice, toStored } from "./current.ts";
import type { SpeechDeps } from "./deps.ts";
import { createHighlight } from "./highlight.ts";
import { nothingChosen, toPlayerState } from "./playerState.ts";
import type { PlayerView } from "./playerView.ts";
import type { ReadTarget } from "./readTarget.ts";
import { saveReading } from "./saveReading.ts";
import { createReading } from "./sound/reading.ts";
import { newReadingId, type ReadingStore, type StoredReading } from "./sound/readingStore.ts";
import type { SoundStore } from "./sound/soundStore.ts";
import { createSounds } from "./sound/sounds.ts";
import { createSoundFormats } from "./soundFormats.ts";
import { createSpeechModels } from "./speechModels.ts";
import { createChoices } from "./voices/choices.ts";
import { createClonedVoices } from "./voices/clonedVoices.ts";
import { createVoiceController } from "./voices/voiceController.ts";

/** Controls reading, with its text, model and voice, between the commands, the player and the service. */
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

/** The start of a reading: new or stored. */
type Beginning = Pick<StoredReading, "id" | "passages" | "index">;

export function createSpeechController(deps: SpeechControllerDeps): SpeechController {
  const { session, view, readings, store } = deps;
  const voices = createClonedVoices(deps.globalState);
  const models = createSpeechModels({ session, voices, choices: createChoices(deps.globalState) });
  const formats = createSoundFormats();
  const highlight = createHighlight(() => postState());
  let modelsProblem = "";
  let current: Current | undefined;
  let problem: PlayerProblem | undefined;

  const postState = () =>
    view.post({
      v: 1,
      type: "state",
      state: toPlayerState({ session, models, modelsProblem, current, problem, isAway: highlight.isAway }),
    });
  const setProblem = (next: PlayerProblem | undefined) => {
    problem = next;
    postState();
  };
  const setContext = (state: "idle" | "reading") =>
    void vscode.commands.executeCommand("setContext", contexts.speechState, state);
  const log = (what: string) => (error: unknown) =>
    deps.log.error(what, error instanceof Error ? error : String(error));
  const explained = (error: unknown): PlayerProblem => {
    log("the speech request failed")(error);
    const { active } = session;
    return explain(error, active ? { service: active.name, kind: active.kind } : { service: "The service" });
  };
  const sounds = createSounds({
    client: () => session.client(),
    store,
    onPaid({ input }) {
      if (current) current.spentUsd += models.usdOf([...input].length) ?? 0;
      postState();
    },
  });
  const showModels = async () => {
    try {
      await models.ensure();
      modelsProblem = "";
    } catch (error) {
      modelsProblem = explained(error).sentence;
    }
    postState();
  };
  const saveCurrent = () => {
    if (!current) return;
    readings.put(toStored(current)).catch(log("the reading could not be stored"));
  };
  const choose = (change: SpeechChange) => {
    if (!models.choose(change)) return;
    current?.reading.changed();
    setProblem(undefined);
  };
  const begin = ({ id, ...from }: Beginning, target: ReadTarget): Current => {
    const reading = createReading({
      id,
      sentences: target.sentences,
      ...from,
      sounds,
      toRequest: (text) => models.toRequest(text),
      streams: ({ response_format }) => formats.streams(response_format),
      post: (message) => view.post(message),
      onFailure: (error) => setProblem(explained(error)),
    });
    const choice = models.loaded?.choice ?? nothingChosen;
    return { id, atMs: Date.now(), target, reading, choice, spentUsd: 0 };
  };
  const load = ({ reading, target }: Current, plays: boolean) => {
    const sentences = target.sentences.map(({ text }) => text);
    const { id, index } = reading;
    view.post({ v: 1, type: "load", reading: id, title: target.title, sentences, index, plays });
    postState();
  };
  const mayPay = async (title: string, texts: readonly string[]): Promise<boolean> => {
    const price = toPrice(texts, models);
    return texts.length === 0 || confirmPrice(deps, { action: "speech", title, button: "Read", ...price });
  };
  const start = async (from: Beginning, target: ReadTarget): Promise<void> => {
    if (!(await hasService(deps))) return;
    if (target.uri && !(await maySend(target.title, "Its text"))) return;
    await models.ensure();
    const next = begin(from, target);
    const missing = await next.reading.missing();
    // Each passage is heard separately, without the cached ones between them.
    const texts = missing.flatMap(({ first, last }) =>
      target.sentences.slice(first, last + 1).map(({ text }) => text),
    );
    if (!(await mayPay(`Read ${target.title} aloud`, texts))) return;
    controller.stop();
    current = next;
    highlight.follow(target.uri, target.sentences);
    await view.show();
    const { model, choice } = await models.ensure();
    const format = await formats.settle(choice.format, model);
    if (format === undefined || current !== next) return;
    if (format !== "save" && format !== choice.format) choose({ format });
    problem = undefined;
    load(next, format !== "save");
    saveCurrent();
    if (format === "save") await controller.save();
    else setContext("reading");
  };
  const tryStart = async (from: Beginning, target: ReadTarget): Promise<void> => {
    try {
      await start(from, target);
    } catch (error) {
      sayFailure(deps, error, () => tryStart(from, target));
    }
  };
  const act = async (action: string, index: number | null): Promise<void> => {
    if (action === "saveFile") return controller.save();
    if (action === "readOn") return readOn(index ?? 0);
    setProblem(undefined);
    const known = errorActionIds.find((id) => id === action);
    if (known === "retry" && !models.loaded) await showModels();
    else if (known && known !== "retry") await runErrorAction(known);
  };
  /** The unplayable sound was paid for, so reading continues after it. */
  const readOn = (index: number) => {
    if (!models.loaded || !current) return;
    const { choice, model } = models.loaded;
    choose({ format: formats.playable(choice.format, model) });
    current.reading.index = Math.min(index + 1, current.target.sentences.length - 1);
    load(current, true);
  };
  const voiceController = createVoiceController({
    ...deps,
    voices,
    models,
    formats,
    sounds,
    post: (message) => view.post(message),
    postState,
    choose,
    explained,
    setProblem,
  });
  /** Handles a message of the player about the current text; one about an earlier text is ignored. */
  const follow = async (message: ReadingMessage, on: Current): Promise<void> => {
    const { reading } = on;
    switch (message.type) {
      case "want":
        on.choice = models.loaded?.choice ?? on.choice;
        return reading.want(message.body.index, message.body.has);
      case "at":
        reading.index = message.body.index;
        return highlight.show(message.body.index);
      case "playing":
        return message.body.isPlaying ? setContext("reading") : saveCurrent();
      case "ended":
        reading.index = 0;
        return controller.stop();
      case "unplayable":
        return setProblem(formats.refuse(message.body.format, models.loaded?.model));
    }
  };
  const handle = async (message: FromPlayer): Promise<void> => {
    switch (message.type) {
      case "ready":
        formats.learn(message.body.plays, message.body.streamsMp3);
        if (current) load(current, false);
        return showModels();
      case "choose":
        return choose(message.body.change);
      case "preview":
        return voiceController.preview(message.body.voice);
      case "cloneVoice":
        return voiceController.clone();
      case "forgetVoice":
        return voiceController.forget(message.body.handle);
      case "save":
        return controller.save();
      case "comeBack":
        return highlight.comeBack();
      case "stop":
        return controller.stop();
      case "reloadModels":
        return showModels();
      case "act":
        return act(message.body.action, message.body.index);
      default:
        if (current && message.body.reading === current.id) await follow(message, current);
    }
  };
  const changedConnection = session.onDidChangeActive(() => {
    controller.stop();
    models.forget();
    // A problem of the former service is obsolete.
    problem = undefined;
    modelsProblem = "";
    if (formats.isKnown) void showModels();
  });
  const controller: SpeechController = {
    read: (target) => tryStart({ id: newReadingId(Date.now()), passages: [], index: 0 }, target),
    async open(stored) {
      const uri = stored.uri === undefined ? undefined : vscode.Uri.parse(stored.uri, true);
      try {
        await models.ensure();
        models.restore(stored.choice);
      } catch (error) {
        return sayFailure(deps, error, () => controller.open(stored));
      }
      const index = Math.min(stored.index, stored.sentences.length - 1);
      await tryStart({ ...stored, index }, { title: stored.title, uri, sentences: stored.sentences });
    },
    async show() {
      if (await hasService(deps)) await view.show();
    },
    control: (control) => view.post({ v: 1, type: "control", control }),
    stop() {
      current?.reading.stop();
      view.post({ v: 1, type: "control", control: "pause" });
      highlight.clear();
      saveCurrent();
      if (current) setContext("idle");
    },
    async save() {
      if (!current) {
        void vscode.window.showInformationMessage("There is nothing to save. Read a text first.");
        return;
      }
      const { reading, target } = current;
      const { title } = target;
      try {
        const { format } = (await models.ensure()).choice;
        const confirm = async () => {
          const missing = await reading.missing();
          return mayPay(
            `Request the rest of ${title}`,
            missing.map((passage) => reading.textOf(passage)),
          );
        };
        await saveReading({ reading, title, format, confirm });
      } catch (error) {
        sayFailure(deps, error, () => controller.save());
      }
      saveCurrent();
      postState();
    },
    cloneVoice: voiceController.clone,
    handle: (message) => void handle(message).catch(log("a message of the speech player failed")),
    dispose() {
      changedConnection.dispose();
      current?.reading.stop();
      highlight.dispose();
    },
  };
  return controller;
}

type ReadingMessage = Extract<FromPlayer, { readonly body: { readonly reading: string } }>;
