import * as vscode from "vscode";
import { hasService, maySend, sayFailure } from "../../../session/sandbox/readiness.ts";
import { confirmPrice } from "../../../session/spend/confirmPrice.ts";
import { contexts } from "../../../shared/names/ids.ts";
import type { FromPlayer, SpeechChange } from "../../protocol/speechProtocol.ts";
import type { SpeechDeps } from "../deps.ts";
import { type Current, charactersIn, toPrice, toStored } from "../player/current.ts";
import { nothingChosen, type PlayerStatus } from "../player/playerStatus.ts";
import type { PlayerView } from "../player/playerView.ts";
import { Reading } from "../sound/reading.ts";
import type { ReadingStore, StoredReading } from "../sound/readingStore.ts";
import type { Sounds } from "../sound/sounds.ts";
import type { SoundFormats } from "../soundFormats.ts";
import type { SpeechModels } from "../speechModels.ts";
import type { Sentence } from "../text/toSentences.ts";
import { isVoiceRefusal, otherVoice } from "../voices/voiceProblem.ts";
import type { Highlight } from "./highlight.ts";
import type { ReadTarget } from "./readTarget.ts";
import { saveReading } from "./saveReading.ts";

/** The start of a reading: new or stored. */
type ReadingStart = Pick<StoredReading, "id" | "passages" | "index">;

type ReadingMessage = Extract<FromPlayer, { readonly body: { readonly reading: string } }>;

export interface ReadAloudDeps extends SpeechDeps {
  readonly view: PlayerView;
  readonly readings: ReadingStore;
  readonly models: SpeechModels;
  readonly formats: SoundFormats;
  readonly sounds: Sounds;
  readonly highlight: Highlight;
  readonly status: PlayerStatus;
}

/** The text that is read aloud: its start, its playback, its file. */
export class ReadAloud {
  readonly #deps: ReadAloudDeps;
  #current: Current | undefined;

  constructor(deps: ReadAloudDeps) {
    this.#deps = deps;
  }

  get current(): Current | undefined {
    return this.#current;
  }

  /** Starts a text after the price is confirmed. Never rejects. */
  async start(from: ReadingStart, target: ReadTarget): Promise<void> {
    try {
      const next = await this.#prepare(from, target);
      if (next) await this.#begin(next);
    } catch (error) {
      sayFailure(this.#deps, error, () => this.start(from, target));
    }
  }

  /** Handles a message about the current text; one about an earlier text is ignored. */
  async handle(message: ReadingMessage): Promise<void> {
    const { models, formats, highlight, status } = this.#deps;
    const current = this.#current;
    if (!current || message.body.reading !== current.id) return;
    switch (message.type) {
      case "want":
        current.choice = models.loaded?.choice ?? current.choice;
        return current.reading.want(message.body.index, message.body.has);
      case "at":
        current.reading.index = message.body.index;
        return highlight.show(message.body.index);
      case "playing":
        return message.body.isPlaying ? setContext("reading") : this.#store();
      case "ended":
        current.reading.index = 0;
        return this.stop();
      case "unplayable":
        return status.setProblem(formats.refuse(message.body.format, models.loaded?.model));
    }
  }

  /** Applies options to the sentences that are not played yet. */
  choose(change: SpeechChange): void {
    if (!this.#deps.models.choose(change)) return;
    this.#current?.reading.changed();
    this.#deps.status.setProblem(undefined);
  }

  /** Goes on with a voice of the model, in place of one that the service does not have. */
  useOtherVoice(): void {
    const { loaded } = this.#deps.models;
    if (loaded) this.choose({ voice: otherVoice(loaded.model, loaded.choice.voice) });
  }

  addCost(usd: number): void {
    if (this.#current) this.#current.spentUsd += usd;
  }

  /** Sends the text to a player that was opened again. */
  reload(): void {
    if (this.#current) this.#load(this.#current, false);
  }

  /** Continues after a sound that can't be played, in a playable format. It was paid for, so it is skipped. */
  continueAfter(index: number): void {
    const { models, formats } = this.#deps;
    const current = this.#current;
    if (!models.loaded || !current) return;
    const { choice, model } = models.loaded;
    this.choose({ format: formats.playable(choice.format, model) });
    current.reading.index = Math.min(index + 1, current.target.sentences.length - 1);
    this.#load(current, true);
  }

  stop(): void {
    this.#current?.reading.stop();
    this.#deps.view.post({ v: 1, type: "control", control: "pause" });
    this.#deps.highlight.clear();
    this.#store();
    if (this.#current) setContext("idle");
  }

  /** Writes an audio file, after its missing sounds were requested. Never rejects. */
  async save(): Promise<void> {
    if (!this.#current) {
      void vscode.window.showInformationMessage("There is nothing to save. Read a text first.");
      return;
    }
    const { reading, target } = this.#current;
    const { title } = target;
    const missingTexts = async () => (await reading.missing()).map((passage) => reading.textOf(passage));
    const confirm = async () => this.#confirmPrice(`Request the rest of ${title}`, await missingTexts());
    const missingUsd = async () => this.#deps.models.usdOf(charactersIn(await missingTexts()));
    const isPlayMoney = this.#deps.session.active?.kind === "sandbox";
    try {
      const { format } = (await this.#deps.models.ensure()).choice;
      const onCollected = () => this.#store();
      await saveReading({ reading, title, format, confirm, missingUsd, isPlayMoney, onCollected });
    } catch (error) {
      const voice = this.#deps.models.loaded?.choice.voice ?? "";
      if (isVoiceRefusal(error, voice)) {
        // The player has the button for another voice.
        this.#deps.status.fail(error, voice);
        await this.#deps.view.show();
      } else sayFailure(this.#deps, error, () => this.save());
    }
    this.#store();
    this.#deps.status.post();
  }

  dispose(): void {
    this.#current?.reading.stop();
  }

  /** Undefined if the user does not send the text or pay for it. */
  async #prepare(from: ReadingStart, target: ReadTarget): Promise<Current | undefined> {
    if (!(await hasService(this.#deps))) return undefined;
    if (target.uri && !(await maySend(target.title, "Its text"))) return undefined;
    await this.#deps.models.ensure();
    const next = this.#toCurrent(from, target);
    const missing = await next.reading.missing();
    // Playback requests each sentence separately.
    const texts = missing.flatMap(({ first, last }) =>
      target.sentences.slice(first, last + 1).map(({ text }) => text),
    );
    return (await this.#confirmPrice(`Read ${target.title} aloud`, texts)) ? next : undefined;
  }

  async #begin(next: Current): Promise<void> {
    const { highlight, view, models, formats, status } = this.#deps;
    this.stop();
    this.#current = next;
    highlight.follow(next.target.uri, next.target.sentences);
    await view.show();
    const { model, choice } = await models.ensure();
    const format = await formats.settle(choice.format, model);
    if (format === undefined || this.#current !== next) return;
    if (format !== "save" && format !== choice.format) this.choose({ format });
    status.setProblem(undefined);
    this.#load(next, format !== "save");
    this.#store();
    if (format === "save") await this.save();
    else setContext("reading");
  }

  #toCurrent({ id, passages, index }: ReadingStart, target: ReadTarget): Current {
    const { models, formats, sounds, view, status } = this.#deps;
    const reading = new Reading({
      id,
      sentences: target.sentences,
      passages,
      index,
      sounds,
      toRequest: (text) => models.toRequest(text),
      streams: ({ response_format }) => formats.streams(response_format),
      post: (message) => view.post(message),
      onFailure: (error, voice) => status.fail(error, voice),
    });
    const choice = models.loaded?.choice ?? nothingChosen;
    return { id, atMs: Date.now(), target, reading, choice, spentUsd: 0 };
  }

  #load({ reading, target }: Current, plays: boolean): void {
    const sentences = target.sentences.map(({ text }) => text);
    const indexesOf = (starts: (sentence: Sentence) => boolean) =>
      target.sentences.flatMap((sentence, index) => (starts(sentence) ? [index] : []));
    const { id, index } = reading;
    this.#deps.view.post({
      v: 1,
      type: "load",
      reading: id,
      title: target.title,
      sentences,
      paragraphs: indexesOf(({ startsBlock }) => startsBlock),
      headings: indexesOf(({ startsHeading }) => startsHeading === true),
      index,
      plays,
    });
    this.#deps.status.post();
  }

  async #confirmPrice(title: string, texts: readonly string[]): Promise<boolean> {
    const price = toPrice(texts, this.#deps.models);
    return (
      texts.length === 0 || confirmPrice(this.#deps, { action: "speech", title, button: "Read", ...price })
    );
  }

  #store(): void {
    const { readings, log } = this.#deps;
    if (!this.#current) return;
    readings.put(toStored(this.#current)).catch((error: unknown) => {
      log.error("the reading could not be stored", error instanceof Error ? error : String(error));
    });
  }
}

function setContext(state: "idle" | "reading"): void {
  void vscode.commands.executeCommand("setContext", contexts.speechState, state);
}
