import type { Attachment } from "../../../shared/chat/chatAttachments.ts";
import type { ModelCard } from "../../../shared/chat/chatModels.ts";
import { estimateTokens, tokensPerMessage } from "../../../shared/chat/tokenEstimate.ts";
import { plural } from "../../../shared/text/plural.ts";
import { isQuestion, type Message, type ResultPicture } from "../../protocol/chatMessages.ts";
import type { ChatState, ContextGauge } from "../../protocol/chatState.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import { isNearlyFull, summarisedPath } from "./compaction.ts";
import { promptRoom } from "./promptRoom.ts";
import { withSentResults } from "./sentResults.ts";

/** Size of a message in a request. */
export interface Load {
  /** True if a turn begins with it. Only whole turns are dropped. */
  readonly isQuestion: boolean;
  readonly tokens: number;
  readonly bytes: number;
}

export interface Room {
  /** Undefined if the model does not state it. */
  readonly tokens: number | undefined;
  readonly bytes: number;
}

export interface Fit {
  /** The number of the oldest messages that are dropped. */
  readonly dropped: number;
  /** Of the messages that are sent. */
  readonly tokens: number;
  readonly bytes: number;
  /** The limit that the last turn exceeds on its own. */
  readonly over: "tokens" | "bytes" | null;
}

/** The messages that fit the context of a model, and the gauge that shows their size. */
export interface ContextWindow {
  /** Selects the end of a path that fits a model; `fixed` are the tokens that are sent besides. */
  fitPath(path: readonly Message[], card: ModelCard | undefined, fixed: number): Fit;
  /** Estimated tokens of a message with its attachments and calls. */
  tokensOf(message: Message, card: ModelCard | undefined): number;
  /** The path with its results as they are sent; `fixed` as in `fitPath`. */
  asSent(path: readonly Message[], card: ModelCard | undefined, fixed: number): readonly Message[];
  /** Size of the next request, even if the gauge does not show it yet. */
  read(): ContextGauge;
  /** Updates the gauge after a change; called often. */
  update(): void;
  dispose(): void;
}

/** Tokens of what each request begins with. */
export interface BeginningTokens {
  readonly systemTokens: number;
  readonly toolTokens: number;
}

export interface ContextWindowDeps {
  readonly chat: Pick<LiveChat, "state" | "set" | "path">;
  readonly cardOf: (model: string) => ModelCard | undefined;
  /** What the next request would begin with. Rejects if nothing would be sent. */
  readonly readBeginning: () => Promise<BeginningTokens>;
}

/** Delay in milliseconds from a change to the update of the gauge. */
const afterMs = 60;

/** The gauge is not updated while an answer is running. */
export function createContextWindow({ chat, cardOf, readBeginning }: ContextWindowDeps): ContextWindow {
  const count = createTokenCounts();
  const fitPath: ContextWindow["fitPath"] = (path, card, fixed) => {
    const room = promptRoom(card?.contextTokens);
    const images = takesImages(card);
    const found = fitContext(
      path.map((message) => loadOf(message, images, count)),
      { tokens: room && Math.max(0, room - fixed), bytes: requestBytes },
    );
    return { ...found, tokens: found.tokens + fixed };
  };
  const tokensOf: ContextWindow["tokensOf"] = (message, card) =>
    loadOf(message, takesImages(card), count).tokens;
  const asSent: ContextWindow["asSent"] = (path, card, fixed) =>
    withSentResults(path, {
      ...{ contextTokens: card?.contextTokens, fixed },
      tokensOf: (message) => tokensOf(message, card),
    });
  const beginning = createBeginning(chat, readBeginning);
  const read = () =>
    gaugeOf(chat.path(), chat.state, cardOf, { fitPath, asSent, beginning: beginning.now() });
  let timer: NodeJS.Timeout | undefined;
  let seen: readonly unknown[] = [];
  const show = () => {
    timer = undefined;
    const context = read();
    if (JSON.stringify(context) !== JSON.stringify(chat.state.context)) chat.set({ context });
    beginning.update(show);
  };
  return {
    fitPath,
    tokensOf,
    asSent,
    read,
    update() {
      const inputs = gaugeInputs(chat.state);
      const isSame = areSame(inputs, seen);
      seen = inputs;
      if (!isSame) timer ??= setTimeout(show, afterMs);
    },
    dispose() {
      clearTimeout(timer);
      beginning.dispose();
    },
  };
}

/** The size of what each request begins with, as it was last read: reading takes files and tools. */
function createBeginning(chat: Pick<LiveChat, "state">, read: ContextWindowDeps["readBeginning"]) {
  let sizes: BeginningTokens | undefined;
  let seen: readonly unknown[] | undefined;
  let isDisposed = false;
  return {
    /** Until it is read: the user's own part of the system prompt. */
    now: (): BeginningTokens =>
      sizes ?? { systemTokens: estimateTokens(chat.state.settings.system ?? ""), toolTokens: 0 },
    /** Reads it again if it may be another one, and calls `onRead` then. */
    update(onRead: () => void): void {
      const inputs = beginningInputs(chat.state);
      if (seen && areSame(inputs, seen)) return;
      seen = inputs;
      read().then(
        (next) => {
          if (isDisposed || seen !== inputs) return;
          sizes = next;
          onRead();
        },
        () => {}, // the request says why nothing is sent
      );
    },
    dispose() {
      isDisposed = true;
    },
  };
}

function areSame(values: readonly unknown[], others: readonly unknown[]): boolean {
  return values.every((value, index) => value === others[index]);
}

/** The values that decide what a request begins with. */
function beginningInputs(state: ChatState): readonly unknown[] {
  const { conversationId, environment, settings, modelId, tools, customModes, guidanceFiles } = state;
  return [conversationId, environment, settings, modelId, tools, customModes, guidanceFiles];
}

/** The values that the gauge depends on. Streamed text is not one. */
function gaugeInputs(state: ChatState): readonly unknown[] {
  const { busy, draft, attachments, models, branches, messages, earlierCount } = state;
  const shownCount = messages.length + earlierCount;
  return [busy, draft, attachments, models, branches, shownCount, ...beginningInputs(state)];
}

const draftId = "draft";

function gaugeOf(
  path: readonly Message[],
  { draft, attachments, modelId, settings }: ChatState,
  cardOf: ContextWindowDeps["cardOf"],
  {
    fitPath,
    asSent,
    beginning,
  }: Pick<ContextWindow, "fitPath" | "asSent"> & { readonly beginning: BeginningTokens },
): ContextGauge {
  const card = modelId === null ? undefined : cardOf(modelId);
  const question: Message = { role: "user", id: draftId, text: draft.text, attachments };
  const whole = [...path, question];
  const fixed = beginning.systemTokens + beginning.toolTokens;
  const summarised = asSent(summarisedPath(whole), card, fixed);
  const fit = fitPath(summarised, card, fixed);
  const { tokens, over } = fit;
  const dropped = fit.dropped === 0 ? 0 : fit.dropped + whole.length - summarised.length;
  const roomTokens = promptRoom(card?.contextTokens) ?? null;
  const sent = summarised
    .slice(fit.dropped, -1)
    .flatMap((message) => (message.role === "user" ? (message.attachments ?? []) : []));
  const isTask = (settings.mode ?? "ask") !== "ask";
  return {
    tokens,
    ...beginning,
    hasUnknown: [...sent, ...attachments].some((attachment) => attachment.tokens === null),
    contextTokens: card?.contextTokens ?? null,
    roomTokens,
    dropped,
    willSummarise: isTask && roomTokens !== null && (dropped > 0 || isNearlyFull(tokens, roomTokens)),
    over,
  };
}

/** Bytes of the largest request body (wire.md section 3), less those around the messages. */
const requestBytes = 34 * 1024 * 1024;

/**
 * Share of the room that is filled after turns were dropped. If only the oldest turn were dropped, each request of a full
 * conversation would begin with another message, and the service could read none of it from its prompt cache.
 */
export const keptShare = 0.7;

/**
 * Drops the oldest turns if the path does not fit, and then enough of them that the next requests begin with the same
 * message. The last turn is never dropped. What is dropped follows from the path alone: the requests that led to it are
 * gone through in their order, each with its answer still empty.
 */
export function fitContext(loads: readonly Load[], room: Room): Fit {
  const path = new FittedPath(loads, room);
  for (const [index, { isQuestion }] of loads.entries()) {
    if (!isQuestion) path.makeRoom(index, tokensPerMessage);
    path.add(index);
  }
  path.makeRoom(loads.length, loads.at(-1)?.isQuestion ? tokensPerMessage : 0);
  return path.fit;
}

/** The end of a path that is sent, while the path grows. */
class FittedPath {
  readonly #loads: readonly Load[];
  readonly #maxTokens: number;
  readonly #maxBytes: number;
  #dropped = 0;
  #lastTurn = 0;
  #tokens = 0;
  #bytes = 0;

  constructor(loads: readonly Load[], room: Room) {
    this.#loads = loads;
    this.#maxTokens = room.tokens ?? Number.POSITIVE_INFINITY;
    this.#maxBytes = room.bytes;
  }

  get fit(): Fit {
    const [tokens, bytes] = [this.#tokens, this.#bytes];
    const fits = tokens <= this.#maxTokens && bytes <= this.#maxBytes;
    const over = fits ? null : tokens > this.#maxTokens ? "tokens" : "bytes";
    return { dropped: this.#dropped, tokens, bytes, over };
  }

  add(index: number): void {
    const load = this.#loads[index] as Load;
    if (load.isQuestion) this.#lastTurn = index;
    this.#tokens += load.tokens;
    this.#bytes += load.bytes;
  }

  /** Drops turns if the messages before `end`, and so many more tokens, do not fit. */
  makeRoom(end: number, more: number): void {
    const fits = this.#tokens + more <= this.#maxTokens && this.#bytes <= this.#maxBytes;
    if (fits || this.#dropped === this.#lastTurn) return;
    const [mostTokens, mostBytes] = [this.#maxTokens * keptShare - more, this.#maxBytes * keptShare];
    let [tokens, bytes] = [0, 0];
    let kept = { index: this.#lastTurn, tokens, bytes };
    for (let index = end - 1; index > this.#dropped; index--) {
      const load = this.#loads[index] as Load;
      tokens += load.tokens;
      bytes += load.bytes;
      if (index < this.#lastTurn && (tokens > mostTokens || bytes > mostBytes)) break;
      if (load.isQuestion) kept = { index, tokens, bytes };
    }
    this.#dropped = kept.index;
    this.#tokens = kept.tokens;
    this.#bytes = kept.bytes;
  }
}

/** For a model that is not listed, the service decides. */
export function takesImages(card: ModelCard | undefined): boolean {
  return !card || card.capabilities.includes("vision");
}

/**
 * The sentence that a model can't take as many pictures as a question has; undefined if each model can, or its limit is
 * unknown. A model without vision gets none of them.
 */
export function tooManyImages(
  attachments: readonly Attachment[],
  cards: readonly (ModelCard | undefined)[],
): string | undefined {
  const count = attachments.filter(({ kind }) => kind === "image").length;
  const card = cards.find((one) => count > (one?.maxImages ?? Number.POSITIVE_INFINITY));
  if (card?.maxImages === undefined) return undefined;
  const limit = plural(card.maxImages, "picture");
  return `Attachments: ${card.name} takes at most ${limit}, and the question has ${count}. Remove ${count - card.maxImages}, or choose another model.`;
}

const maxCounted = 5000;

/** Estimates the tokens of a message's text. Counts are cached, because a path is checked on each keystroke. */
function createTokenCounts() {
  const counted = new Map<string, { readonly length: number; readonly tokens: number }>();
  return (message: Message): number => {
    const { id } = message;
    const texts = textsOf(message);
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    const cached = counted.get(id);
    if (cached?.length === length) return cached.tokens;
    if (counted.size >= maxCounted) counted.clear();
    const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
    counted.set(id, { length, tokens });
    return tokens;
  };
}

/** Texts of a message that are sent. Calls are sent with their results and with the reasoning before them. */
function textsOf(message: Message): readonly string[] {
  if (message.role === "user") return [message.text];
  const { text, reasoning, calls = [], userPlan = "", editorNote = "" } = message;
  if (calls.length === 0) return [userPlan, editorNote, text];
  const called = calls.flatMap((call) => [call.name, call.arguments, call.result ?? ""]);
  return [userPlan, editorNote, text, reasoning, ...called];
}

function loadOf(message: Message, images: boolean, count: (message: Message) => number): Load {
  const attachments =
    message.role === "user"
      ? (message.attachments ?? []).map((attachment) => loadOfAttachment(attachment, images))
      : (images ? (message.calls ?? []) : []).flatMap(({ pictures = [] }) => pictures.map(loadOfPicture));
  return {
    isQuestion: isQuestion(message),
    tokens: attachments.reduce((sum, { tokens }) => sum + tokens, count(message) + tokensPerMessage),
    bytes: attachments.reduce(
      (sum, { bytes }) => sum + bytes,
      textsOf(message).reduce((sum, text) => sum + text.length, 0),
    ),
  };
}

/** Base64 encodes three bytes as four characters. */
const encoded = 4 / 3;

function loadOfPicture({ tokens, bytes }: ResultPicture): Pick<Load, "tokens" | "bytes"> {
  return { tokens: tokens + tokensPerMessage, bytes: Math.ceil(bytes * encoded) };
}

function loadOfAttachment(attachment: Attachment, images: boolean): Pick<Load, "tokens" | "bytes"> {
  const { kind, bytes, name, way } = attachment;
  if (kind === "image" && !images) return { tokens: 20, bytes: 100 };
  const isEncoded = kind === "image" || (kind === "document" && way !== "text");
  const tokens = (attachment.tokens ?? 0) + estimateTokens(name) + tokensPerMessage;
  return { tokens, bytes: isEncoded ? Math.ceil(bytes * encoded) : bytes };
}
