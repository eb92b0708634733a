import * as z from "zod";
import { maxHandedBytes } from "./chatAttachments.ts";
import { type HistoryNews, HistoryRequest } from "./chatHistory.ts";
import type { Op } from "./chatOps.ts";
import { maxAnswersAtOnce } from "./chatParameters.ts";
import { ChatSettings } from "./chatSettings.ts";
import type { ChatState } from "./chatState.ts";
import { errorActionIds } from "./errorActions.ts";
import { parseViewMessage, type ViewMessage } from "./viewMessage.ts";

// The view imports types alone from here, which keeps zod out of its bundle.

/** Raised whenever a message changes its meaning, so that a view of another version is told to reload. */
type ProtocolVersion = 1;

/** Host → view. Each message has its place: snapshots count `epoch`, what follows one counts `seq` from 1. */
export type ToView =
  | {
      readonly v: ProtocolVersion;
      readonly type: "snapshot";
      readonly epoch: number;
      readonly seq: 0;
      readonly state: ChatState;
    }
  | {
      readonly v: ProtocolVersion;
      readonly type: "update";
      readonly epoch: number;
      readonly seq: number;
      readonly ops: readonly Op[];
    };

/** What the list of conversations is told; it has no place among the messages above, and may be lost with its view. */
export interface HistoryToView {
  readonly v: ProtocolVersion;
  readonly type: "history";
  readonly news: HistoryNews;
}

/** A picture of an answer that the reader asked for: where it can be drawn from, or why there is none. */
export interface PictureToView {
  readonly v: ProtocolVersion;
  readonly type: "picture";
  readonly url: string;
  readonly picture: { readonly src: string } | { readonly problem: string };
}

/** The paths, among those that the page asked about, that are files of the workspace. */
export interface PathsToView {
  readonly v: ProtocolVersion;
  readonly type: "paths";
  readonly asked: readonly string[];
  readonly found: readonly string[];
}

const id = z.string().min(1).max(200);
const text = z.string().max(10_000_000);
const AttachRequest = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("uri"), uri: z.string().min(1).max(8192) }),
  z.strictObject({ kind: z.enum(["selection", "editor", "code", "problems", "terminal"]) }),
]);
/** Bytes cross as they are; what arrives is a buffer or, in some hosts, a view of one. */
const bytes = z
  .union([z.instanceof(ArrayBuffer).transform((buffer) => new Uint8Array(buffer)), z.instanceof(Uint8Array)])
  .refine(({ byteLength }) => byteLength > 0 && byteLength <= maxHandedBytes);
const Draft = z.strictObject({ text, revision: z.number() });

/** View → host, by name. Nothing a view says is trusted before it has passed here. */
const bodies = {
  /** The view is there and empty; it hands over what it still holds of the draft. */
  ready: z.strictObject({ draft: Draft.optional() }),
  /** Everything up to here is on the screen; the next frame may come. */
  ack: z.strictObject({ epoch: z.int(), seq: z.int() }),
  /** Something was lost: send a snapshot. */
  resync: z.strictObject({}),
  draft: z.strictObject({ draft: Draft }),
  /** While an answer is on its way, the question waits for its end. */
  send: z.strictObject({ text: text.min(1), revision: z.number() }),
  /** Asks in other words; the old wording stays as a branch. */
  edit: z.strictObject({ questionId: id, text: text.min(1) }),
  /** One of the questions that wait: sends it, puts it back into the prompt, or removes it. */
  queued: z.strictObject({ questionId: id, action: z.enum(["send", "edit", "remove"]) }),
  stop: z.strictObject({}),
  /** Asks for an answer anew, of this model or the chosen one; without an id, sends the draft again. */
  retry: z.strictObject({ answerId: id.optional(), modelId: id.optional() }),
  /** A decision about a call that a model asks for. */
  decideCall: z.strictObject({
    answerId: id,
    callId: id,
    decision: z.enum(["once", "review", "conversation", "always", "skip"]),
  }),
  /** The result of a call, as a person wrote or changed it. */
  giveResult: z.strictObject({ answerId: id, callId: id, result: text }),
  /** An answer that broke off goes on. */
  goOn: z.strictObject({ answerId: id }),
  /** Shows the path through this message. */
  showBranch: z.strictObject({ messageId: id }),
  showEarlier: z.strictObject({}),
  newChat: z.strictObject({}),
  /** Asks one of the starters. */
  start: z.strictObject({ text: z.string() }),
  pickModel: z.strictObject({ modelId: id }),
  /** Models that answer next to the chosen one. */
  compare: z.strictObject({ modelIds: z.array(id).max(maxAnswersAtOnce - 1) }),
  favour: z.strictObject({ modelId: id, isFavourite: z.boolean() }),
  setSettings: z.strictObject({ settings: ChatSettings }),
  applyPreset: z.strictObject({ name: text }),
  savePreset: z.strictObject({}),
  openPresets: z.strictObject({}),
  reloadModels: z.strictObject({}),
  /** The button of an explained error; `retry` has a message of its own. */
  act: z.strictObject({ action: z.enum(errorActionIds).exclude(["retry"]) }),
  openLink: z.strictObject({
    url: z
      .string()
      .max(8192)
      .regex(/^(https?:\/\/|mailto:)/i),
  }),
  /** Fetches a picture of an answer, because the reader asked for it. */
  loadPicture: z.strictObject({
    url: z
      .string()
      .max(8192)
      .regex(/^https?:\/\//i),
  }),
  /** Which of these are files of the workspace; the answer is a message of its own. */
  findPaths: z.strictObject({ paths: z.array(z.string().min(1).max(300)).min(1).max(200) }),
  /** Opens a file of the workspace at a place, both counted from 1. */
  openPath: z.strictObject({
    path: z.string().min(1).max(300),
    line: z.int().min(1).exactOptional(),
    column: z.int().min(1).exactOptional(),
  }),
  copyAnswer: z.strictObject({ answerId: id }),
  readAnswer: z.strictObject({ answerId: id }),
  copyText: z.strictObject({ text }),
  /** Does something with the code of an answer; `path` is the file that its fence names. */
  useCode: z.strictObject({
    action: z.enum(["insert", "apply", "save", "run"]),
    text,
    language: z.string().max(200),
    path: z.string().max(1000).exactOptional(),
  }),
  dismissNotice: z.strictObject({}),
  /** The list of conversations has messages of its own. */
  history: HistoryRequest,
  /** Lets something of the editor go along with the question that is written. */
  attach: z.strictObject({ request: AttachRequest }),
  /** Asks the user what to attach. */
  attachPick: z.strictObject({}),
  /** Files that were pasted or dropped. */
  attachFile: z.strictObject({ name: z.string().min(1).max(300), bytes }),
  detach: z.strictObject({ attachmentId: id }),
  setWay: z.strictObject({ attachmentId: id, way: z.enum(["file", "text"]) }),
  /** An image that was too large, made smaller. */
  scaled: z.strictObject({ attachmentId: id, bytes }),
  /** An image can't be drawn, so that it can't be made smaller either. */
  unreadable: z.strictObject({ attachmentId: id }),
  /** Opens what an attachment was taken from. */
  openAttachment: z.strictObject({ attachmentId: id }),
  /** What could be meant by the text after `@`. */
  mention: z.strictObject({ query: z.string().max(300) }),
  dismissAttachmentNotice: z.strictObject({}),
};

export type ToHost = ViewMessage<typeof bodies>;
export type ToHostType = ToHost["type"];

/** What the view said; undefined where it is nothing that a view of this version says. */
export function parseToHost(message: unknown): ToHost | undefined {
  return parseViewMessage(bodies, message);
}
