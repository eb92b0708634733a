import * as vscode from "vscode";
import { runErrorAction } from "../../platform/errorActions.ts";
import { explain } from "../../platform/errorMessage.ts";
import { confirmPrice } from "../../session/confirmPrice.ts";
import { hasService, maySend, sayFailure } from "../../session/readiness.ts";
import { errorActionIds } from "../../shared/errorActions.ts";
import { contexts } from "../../shared/ids.ts";
import type { SpeechFormat } from "../../shared/speechFormats.ts";
import type {
  FromPlayer,
  PlayerControl,
  PlayerProblem,
  PlayerState,
  SpeechChoice,
} from "../../shared/speechProtocol.ts";
import { formatNames, playableTypes } from "./formats/audioFormat.ts";
import { pcmToWav } from "./formats/wav.ts";
import { createHighlight } from "./highlight.ts";
import type { PlayerView } from "./playerView.ts";
import type { ReadTarget } from "./readTarget.ts";
import type { SpeechDeps } from "./register.ts";
import { saveReading } from "./saveReading.ts";
import { createReading, type Passage, type Reading } from "./sound/reading.ts";
import { type KeptReading, newReadingId, type ReadingStore } from "./sound/readingStore.ts";
import type { SoundStore } from "./sound/soundStore.ts";
import { createSounds } from "./sound/sounds.ts";
import { toSpeechRequest } from "./sound/speechRequest.ts";
import { choiceFor, loadSpeechModels, type SpeechModels } from "./speechModels.ts";
import { createChoices } from "./voices/choices.ts";
import { createClonedVoices, toVoiceCard } from "./voices/clonedVoices.ts";
import { cloneVoice } from "./voices/cloneVoice.ts";

/** What is read, how, and with what voice: between the commands, the player and the service. */
export interface SpeechDesk extends vscode.Disposable {
  read(target: ReadTarget): Promise<void>;
  /** Reads something that was read before; what was heard of it costs nothing. */
  open(kept: KeptReading): Promise<void>;
  show(): Promise<void>;
  control(control: PlayerControl): void;
  stop(): void;
  save(): Promise<void>;
  cloneVoice(): Promise<void>;
  hear(message: FromPlayer): void;
}

export interface SpeechDeskDeps extends SpeechDeps {
  readonly view: PlayerView;
  readonly readings: ReadingStore;
  readonly store: SoundStore;
}

interface Current {
  readonly id: string;
  readonly atMs: number;
  readonly target: ReadTarget;
  readonly reading: Reading;
  spentUsd: number;
}

const previewText = "This is how I sound.";
const nothingChosen: SpeechChoice = {
  modelId: "",
  voice: "",
  format: "mp3",
  speed: 1,
  language: "",
  style: "",
  temperature: null,
  topP: null,
};

export function createSpeechDesk(deps: SpeechDeskDeps): SpeechDesk {
  const { session, view, readings, store } = deps;
  const choices = createChoices(deps.globalState);
  const voices = createClonedVoices(deps.globalState);
  const highlight = createHighlight();
  let models: SpeechModels | undefined;
  let modelsProblem = "";
  let current: Current | undefined;
  let problem: PlayerProblem | undefined;
  let plays: ReadonlySet<SpeechFormat> = new Set();
  let streamsMp3 = false;
  const unplayable = new Set<SpeechFormat>();

  const connectionId = () => session.active?.id ?? "";
  const usdOf = (characters: number) => {
    const price = models?.model.usdPerMillion;
    return price === undefined ? undefined : (characters * price) / 1_000_000;
  };
  const charactersOf = (passages: readonly Passage[], reading: Reading) =>
    passages.reduce((sum, passage) => sum + [...reading.textOf(passage)].length, 0);
  const toRequest = (text: string, changes: Partial<SpeechChoice> = {}) => {
    if (!models) throw new Error("no speech model is chosen");
    return toSpeechRequest(text, { ...models.choice, ...changes }, models.model);
  };
  const sounds = createSounds({
    client: () => session.client(),
    store,
    onPaid({ input }) {
      if (current) current.spentUsd += usdOf([...input].length) ?? 0;
      postState();
    },
  });
  const toState = (): PlayerState => {
    const characters = current?.target.sentences.reduce((sum, { text }) => sum + [...text].length, 0) ?? 0;
    return {
      service: session.active?.name ?? "",
      isFree: session.active?.kind === "sandbox",
      models: models?.cards ?? [],
      modelsProblem,
      choice: models?.choice ?? nothingChosen,
      clonedVoices: voices
        .of(connectionId(), models?.choice.modelId ?? "")
        .map((voice) => toVoiceCard(voice, Date.now())),
      characters,
      totalUsd: usdOf(characters),
      spentUsd: current?.spentUsd,
      problem,
    };
  };
  const postState = () => view.post({ v: 1, type: "state", state: toState() });
  const setProblem = (next: PlayerProblem | undefined) => {
    problem = next;
    postState();
  };
  const setContext = (state: "idle" | "reading") =>
    void vscode.commands.executeCommand("setContext", contexts.speechState, state);
  const log = (what: string) => (error: unknown) =>
    deps.log.error(what, error instanceof Error ? error : String(error));
  const explained = (error: unknown): PlayerProblem => {
    log("no speech")(error);
    const { active } = session;
    return explain(error, active ? { service: active.name, kind: active.kind } : { service: "The service" });
  };
  const ensureModels = async (): Promise<SpeechModels> => {
    models ??= await loadSpeechModels({ session, choices, voices });
    modelsProblem = "";
    return models;
  };
  const showModels = async () => {
    try {
      await ensureModels();
    } catch (error) {
      modelsProblem = explained(error).sentence;
    }
    postState();
  };
  const keep = async ({ id, atMs, target, reading }: Current) => {
    const { title, uri, sentences } = target;
    const choice = models?.choice ?? nothingChosen;
    const { passages, index } = reading;
    const place = uri ? { uri: uri.toString() } : {};
    await readings.put({
      v: 1,
      id,
      atMs,
      title,
      ...place,
      sentences: [...sentences],
      passages: [...passages],
      choice,
      index,
    });
  };
  const keepCurrent = () => {
    if (current) keep(current).catch(log("the reading could not be kept"));
  };
  const setChoice = (choice: SpeechChoice) => {
    const model = models?.cards.find(({ id }) => id === choice.modelId);
    if (!models || !model) return;
    const isOther = model.id !== models.model.id;
    const next = isOther ? choiceFor(model, connectionId(), { choices, voices }) : choice;
    models = { ...models, model, choice: next };
    choices.set(connectionId(), next);
    current?.reading.changed();
    problem = undefined;
    postState();
  };
  /** A format that is heard here; undefined once the user chose otherwise. */
  const choosePlayable = async (): Promise<"listen" | "save" | undefined> => {
    const { model, choice } = await ensureModels();
    const canPlay = (format: SpeechFormat) => plays.has(format) && !unplayable.has(format);
    if (canPlay(choice.format)) return "listen";
    const other = model.formats.find(canPlay);
    const listen = other && `Listen as ${formatNames[other]}`;
    const save = "Save as File…";
    const message = `This editor can't play ${formatNames[choice.format]}. Nothing has been sent yet.`;
    const answer = await vscode.window.showWarningMessage(message, ...(listen ? [listen] : []), save);
    if (answer === listen && other) {
      setChoice({ ...choice, format: other });
      return "listen";
    }
    return answer === save ? "save" : undefined;
  };
  const begin = (
    id: string,
    atMs: number,
    target: ReadTarget,
    from: Pick<KeptReading, "passages" | "index">,
  ) => {
    const reading = createReading({
      id,
      sentences: target.sentences,
      ...from,
      sounds,
      toRequest,
      streams: (request) => streamsMp3 && request.response_format === "mp3",
      post: (message) => view.post(message),
      onFailure: (error) => setProblem(explained(error)),
    });
    current?.reading.stop();
    problem = undefined;
    current = { id, atMs, target, reading, spentUsd: 0 };
    highlight.follow(target.uri, target.sentences);
    return current;
  };
  const load = ({ reading, target }: Current, isPlaying: boolean) => {
    const { title, sentences } = target;
    view.post({
      v: 1,
      type: "load",
      reading: reading.id,
      title,
      sentences: sentences.map(({ text }) => text),
      index: reading.index,
      plays: isPlaying,
    });
    postState();
  };
  const confirm = async (title: string, reading: Reading) => {
    const { model } = await ensureModels();
    const missing = await reading.missing();
    if (missing.length === 0) return true;
    const characters = charactersOf(missing, reading);
    const price = model.usdPerMillion === undefined ? "" : ` at $${model.usdPerMillion} per million`;
    const detail = `${characters.toLocaleString("en-US")} characters${price}, spoken by ${model.name}. What you skip is not paid for, nor what you heard before.`;
    return confirmPrice(deps, { action: "speech", title, button: "Read", usd: usdOf(characters), detail });
  };
  const start = async (id: string, target: ReadTarget, from: Pick<KeptReading, "passages" | "index">) => {
    if (!(await hasService(deps))) return;
    if (target.uri && !(await maySend(target.title, "Its text"))) return;
    await ensureModels();
    const before = current;
    const next = begin(id, Date.now(), target, from);
    if (!(await confirm(`Read ${target.title} aloud`, next.reading))) {
      current = before;
      return;
    }
    await view.show();
    const how = await choosePlayable();
    if (how === undefined || current !== next) return;
    load(next, how === "listen");
    await keep(next);
    if (how === "save") await desk.save();
    else setContext("reading");
  };
  const tryStart = async (id: string, target: ReadTarget, from: Pick<KeptReading, "passages" | "index">) => {
    try {
      await start(id, target, from);
    } catch (error) {
      sayFailure(deps, error, () => tryStart(id, target, from));
    }
  };
  const preview = async (voice: string) => {
    const { model, choice } = await ensureModels();
    const usd = usdOf(previewText.length);
    const request = toRequest(previewText, { voice, format: playableOf(choice.format, model.formats) });
    const isKept = await sounds.isKept(request);
    const detail = `${previewText.length} characters; a voice that you heard once costs nothing again.`;
    const question = { action: "speech", title: "Hear a voice", button: "Listen", usd, detail };
    const sound =
      isKept || (await confirmPrice(deps, question))
        ? await sounds.ask(request, { streaming: false }).whole
        : undefined;
    const bytes = sound && (sound.format === "pcm" ? pcmToWav(sound.bytes) : sound.bytes);
    view.post({
      v: 1,
      type: "preview",
      voice,
      bytes,
      mime: playableTypes[sound?.format ?? request.response_format],
    });
  };
  const playableOf = (format: SpeechFormat, formats: readonly SpeechFormat[]) => {
    const canPlay = (one: SpeechFormat) => plays.has(one) && !unplayable.has(one);
    return canPlay(format) ? format : (formats.find(canPlay) ?? format);
  };
  const cannotPlay = (format: SpeechFormat) => {
    unplayable.add(format);
    const other = models?.model.formats.find((one) => plays.has(one) && !unplayable.has(one));
    setProblem({
      sentence: `This editor can't play ${formatNames[format]} after all. What came is kept, and can be saved without paying again.`,
      actions: [
        { id: "saveFile", label: "Save as File…" },
        ...(other ? [{ id: "useMp3", label: `Read On as ${formatNames[other]}` } as const] : []),
      ],
    });
  };
  const act = async (action: string, index: number | null) => {
    const known = errorActionIds.find((id) => id === action);
    if (action === "saveFile") return desk.save();
    if (action === "useMp3" && models && current) {
      setChoice({ ...models.choice, format: playableOf(models.choice.format, models.model.formats) });
      // What came in the other format was paid for: reading goes on behind it.
      current.reading.index = Math.min((index ?? 0) + 1, current.target.sentences.length - 1);
      return load(current, true);
    }
    setProblem(undefined);
    if (action === "retry" && !models) return showModels();
    if (known && known !== "retry") return runErrorAction(known);
  };
  const hear = async (message: FromPlayer): Promise<unknown> => {
    const { body } = message;
    const isCurrent = "reading" in body && body.reading === current?.reading.id;
    switch (message.type) {
      case "ready":
        plays = new Set(message.body.plays);
        ({ streamsMp3 } = message.body);
        postState();
        if (current) load(current, false);
        return showModels();
      case "want":
        if (isCurrent) await current?.reading.want(message.body.index, message.body.has);
        return;
      case "at":
        if (!isCurrent || !current) return;
        current.reading.index = message.body.index;
        highlight.show(message.body.index);
        return;
      case "playing":
        if (!isCurrent) return;
        if (message.body.isPlaying) setContext("reading");
        else keepCurrent();
        return;
      case "ended":
        if (!isCurrent || !current) return;
        current.reading.index = 0;
        return desk.stop();
      case "unplayable":
        return isCurrent ? cannotPlay(message.body.format) : undefined;
      case "choose":
        return setChoice(message.body.choice);
      case "preview":
        return preview(message.body.voice).catch((error: unknown) => {
          view.post({ v: 1, type: "preview", voice: message.body.voice, bytes: undefined, mime: "" });
          setProblem(explained(error));
        });
      case "cloneVoice":
        return desk.cloneVoice();
      case "forgetVoice":
        return forget(message.body.handle);
      case "save":
        return desk.save();
      case "stop":
        return desk.stop();
      case "reloadModels":
        return showModels();
      case "act":
        return act(message.body.action, message.body.index);
    }
  };
  const forget = async (handle: string) => {
    const voice = voices.find(handle);
    if (!voice || !models) return;
    const yes = "Forget Voice";
    const detail = `Its handle is ${handle}. The service is not told; without the handle the voice can't be used again.`;
    const question = `Forget the voice “${voice.name}”?`;
    if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) !== yes) return;
    await voices.forget(handle);
    if (models.choice.voice === handle) setChoice({ ...models.choice, voice: models.model.voices[0] ?? "" });
    postState();
  };
  const changedConnection = session.onDidChangeActive(() => {
    desk.stop();
    models = undefined;
    if (plays.size > 0) void showModels();
  });
  const desk: SpeechDesk = {
    read: (target) => tryStart(newReadingId(Date.now()), target, { passages: [], index: 0 }),
    async open(kept) {
      const uri = kept.uri === undefined ? undefined : vscode.Uri.parse(kept.uri, true);
      try {
        const { cards } = await ensureModels();
        if (cards.some(({ id }) => id === kept.choice.modelId)) {
          choices.set(connectionId(), kept.choice);
          setChoice(kept.choice);
        }
      } catch (error) {
        return sayFailure(deps, error, () => desk.open(kept));
      }
      const index = Math.min(kept.index, kept.sentences.length - 1);
      await tryStart(
        kept.id,
        { title: kept.title, uri, sentences: kept.sentences },
        { passages: kept.passages, index },
      );
    },
    async show() {
      if (await hasService(deps)) await view.show();
    },
    control: (control) => view.post({ v: 1, type: "control", control }),
    stop() {
      current?.reading.stop();
      view.post({ v: 1, type: "control", control: "pause" });
      highlight.clear();
      keepCurrent();
      setContext("idle");
    },
    async save() {
      if (!current) {
        void vscode.window.showInformationMessage("Nothing has been read yet that could be saved.");
        return;
      }
      const { reading, target } = current;
      try {
        await saveReading({
          reading,
          title: target.title,
          format: (await ensureModels()).choice.format,
          confirm: () => confirm(`Ask for the rest of ${target.title}`, reading),
        });
      } catch (error) {
        sayFailure(deps, error, () => desk.save());
      }
      keepCurrent();
      postState();
    },
    async cloneVoice() {
      if (!(await hasService(deps))) return;
      try {
        const { cards, model } = await ensureModels();
        const voice = await cloneVoice({ ...deps, voices }, cards, model);
        const own = voice && cards.find(({ id }) => id === voice.modelId);
        if (!voice || !own || !models) return;
        const choice = choiceFor(own, voice.connectionId, { choices, voices });
        choices.set(voice.connectionId, { ...choice, voice: voice.handle });
        setChoice({ ...choice, voice: voice.handle });
      } catch (error) {
        sayFailure(deps, error, () => desk.cloneVoice());
      }
    },
    hear: (message) => void hear(message).catch(log("the speech player asked in vain")),
    dispose() {
      changedConnection.dispose();
      current?.reading.stop();
      highlight.dispose();
    },
  };
  return desk;
}
