import * as z from "zod";
import { maxHandedBytes } from "../../shared/chat/chatAttachments.ts";
import { maxAnswersAtOnce } from "../../shared/chat/chatParameters.ts";
import { hostedAgentNames } from "../../shared/chat/hostedAgentNames.ts";
import { errorActionIds } from "../../shared/errorActions.ts";
import { parseViewMessage, type ViewMessage } from "../../shared/viewMessage.ts";
import { type HistoryNews, HistoryRequest } from "./chatHistory.ts";
import { maxSkipReason } from "./chatMessages.ts";
import type { StateMessage } from "./chatOps.ts";
import { ChatSettings } from "./chatSettings.ts";

// The view imports types alone from here, which keeps zod out of its bundle.

/** Incremented when a message changes its meaning. A view of another version is told to reload. */
type ProtocolVersion = 1;

/** Host → view. Messages are ordered. */
export type ToView = StateMessage & { readonly v: ProtocolVersion };

/**
 * Messages to the list of conversations. They are not ordered with the messages above and may be lost with the view.
 */
export interface HistoryToView {
  readonly v: ProtocolVersion;
  readonly type: "history";
  readonly news: HistoryNews;
}

/** A remote image of an answer that the reader loaded: its source, or the reason that there is none. */
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
/** Bytes are cloned, not encoded. Some hosts deliver an ArrayBuffer, others a view of one. */
const bytes = z
  .union([z.instanceof(ArrayBuffer).transform((buffer) => new Uint8Array(buffer)), z.instanceof(Uint8Array)])
  .refine(({ byteLength }) => byteLength > 0 && byteLength <= maxHandedBytes);
const Draft = z.strictObject({ text, revision: z.number() });
const ServerAction = z.enum(["start", "stop", "showOutput"]);
export type ServerAction = z.infer<typeof ServerAction>;

/** View → host, by type. Messages of a view are untrusted until this schema has parsed them. */
const bodies = {
  /** The view has loaded and is empty. It passes on the draft that it has stored. */
  ready: z.strictObject({ draft: Draft.optional() }),
  /** The view has drawn everything up to this message. The next frame may be sent. */
  ack: z.strictObject({ epoch: z.int(), seq: z.int() }),
  /** A message was lost: send a snapshot. */
  resync: z.strictObject({}),
  draft: z.strictObject({ draft: Draft }),
  /** While an answer is streaming, the question is queued: for the next round of a task, or for `after` the answer. */
  send: z.strictObject({ text: text.min(1), revision: z.number(), after: z.literal(true).exactOptional() }),
  /** Sends another wording of a question. The old wording stays as a branch. */
  edit: z.strictObject({ questionId: id, text: text.min(1) }),
  /** A queued question: sends it, moves it back into the prompt, removes it, or sends it with the next round or not. */
  queued: z.strictObject({
    questionId: id,
    action: z.enum(["send", "edit", "remove", "switchRound"]),
  }),
  stop: z.strictObject({}),
  /** Regenerates an answer with this model or the chosen one. Without an id, sends the draft again. */
  retry: z.strictObject({ answerId: id.optional(), modelId: id.optional() }),
  /** A decision about a tool call. */
  decideCall: z.strictObject({
    answerId: id,
    callId: id,
    decision: z.enum([
      "once",
      "review",
      "task",
      "taskRule",
      "kind",
      "conversation",
      "conversationRule",
      "always",
      "alwaysRule",
      "skip",
    ]),
    /** Of a skip, for the model. */
    reason: z.string().max(maxSkipReason).exactOptional(),
  }),
  /** Lets a waiting call use the network, or not. */
  chooseNetwork: z.strictObject({ answerId: id, callId: id, network: z.boolean() }),
  /** The result of a tool call, as the user wrote or changed it. */
  giveResult: z.strictObject({ answerId: id, callId: id, result: text }),
  /** Continues an answer that was cut off. */
  goOn: z.strictObject({ answerId: id }),
  /** Shows the path through this message. */
  showBranch: z.strictObject({ messageId: id }),
  showEarlier: z.strictObject({}),
  newChat: z.strictObject({}),
  /** Sends one of the starter questions. */
  start: z.strictObject({ text: z.string() }),
  pickModel: z.strictObject({ modelId: id }),
  /** Models that answer in addition to the chosen one. */
  compare: z.strictObject({ modelIds: z.array(id).max(maxAnswersAtOnce - 1) }),
  favour: z.strictObject({ modelId: id, isFavourite: z.boolean() }),
  setSettings: z.strictObject({ settings: ChatSettings }),
  /** Another agent of this machine answers the next questions. */
  chooseAgent: z.strictObject({ name: z.enum(hostedAgentNames) }),
  /** Looks for the agents of this machine again. */
  findAgents: z.strictObject({}),
  /** Starts or stops an MCP server of the user's files, or shows what the servers have printed. */
  toolServer: z.strictObject({ id, action: ServerAction }),
  applyPreset: z.strictObject({ name: text }),
  savePreset: z.strictObject({}),
  openPresets: z.strictObject({}),
  reloadModels: z.strictObject({}),
  /** Reads what names stand for that are no ids of models. */
  readNames: z.strictObject({}),
  /** The button of an explained error. `retry` has a message of its own. */
  /** Has the documents of the question that failed read as text, and sends it again. */
  sendAsText: z.strictObject({}),
  /** The next requests offer no tools: the mode is Ask. */
  withoutTools: z.strictObject({}),
  act: z.strictObject({ action: z.enum(errorActionIds).exclude(["retry", "sendAsText", "withoutTools"]) }),
  openLink: z.strictObject({
    url: z
      .string()
      .max(8192)
      .regex(/^(https?:\/\/|mailto:)/i),
  }),
  /** Opens a page of the stored results at what a citation is about; `url` if it is not stored any more. */
  openSource: z.strictObject({
    stored: z.string().max(1000),
    url: z.string().max(8192),
    statement: z.string().max(2000),
  }),
  /** Inserts an answer at the cursor, with footnotes for its sources. */
  insertAnswer: z.strictObject({ answerId: id }),
  /** Loads a remote image of an answer at the reader's request. */
  loadPicture: z.strictObject({
    url: z
      .string()
      .max(8192)
      .regex(/^https?:\/\//i),
  }),
  /** Asks which paths are files of the workspace. The reply is a message of its own. */
  findPaths: z.strictObject({ paths: z.array(z.string().min(1).max(300)).min(1).max(200) }),
  /** Opens a file of the workspace at a position; line and column are counted from 1. */
  openPath: z.strictObject({
    path: z.string().min(1).max(300),
    line: z.int().min(1).exactOptional(),
    column: z.int().min(1).exactOptional(),
  }),
  copyAnswer: z.strictObject({ answerId: id }),
  readAnswer: z.strictObject({ answerId: id }),
  showRequest: z.strictObject({ requestId: z.string().min(1).max(1000) }),
  copyText: z.strictObject({ text }),
  /** Applies, inserts or saves the code of an answer; `path` is the file that its fence names. */
  useCode: z.strictObject({
    action: z.enum(["insert", "apply", "save", "run"]),
    text,
    language: z.string().max(200),
    path: z.string().max(1000).exactOptional(),
  }),
  dismissNotice: z.strictObject({}),
  /** Brings files, the chat or both back to before a question. */
  rewind: z.strictObject({ questionId: id, scope: z.enum(["files", "chat", "both"]) }),
  undoRewind: z.strictObject({}),
  /** Ends a background command, or takes an ended one off the list. */
  stopCommand: z.strictObject({ id }),
  /** Ends a subagent. The task goes on with what it has found. */
  stopSubagent: z.strictObject({ id }),
  /** Carries out the plan in the mode that acts. */
  startPlan: z.strictObject({}),
  setPlan: z.strictObject({ plan: z.string().max(20_000) }),
  /** Reviews the changed files: one, or all of them. */
  review: z.strictObject({
    action: z.enum(["diff", "accept", "reject", "acceptAll", "rejectAll", "next", "all", "commit"]),
    uri: z.string().max(8192).exactOptional(),
  }),
  /** Opens one of the files with instructions. */
  openInstructions: z.strictObject({ path: z.string().min(1).max(300) }),
  /** Opens what the model is told with each request. */
  showTold: z.strictObject({}),
  /** The list of conversations has messages of its own. */
  history: HistoryRequest,
  /** Attaches something from the editor to the draft. */
  attach: z.strictObject({ request: AttachRequest }),
  /** Shows a quick pick of things to attach. */
  attachPick: z.strictObject({}),
  /** Files that were pasted or dropped. */
  attachFile: z.strictObject({ name: z.string().min(1).max(300), bytes }),
  detach: z.strictObject({ attachmentId: id }),
  setWay: z.strictObject({ attachmentId: id, way: z.enum(["file", "text"]) }),
  /** An image that was too large, turned or of a rare kind, drawn anew. */
  scaled: z.strictObject({ attachmentId: id, bytes }),
  /** The view can't decode the image, so it can't draw it anew. */
  unreadable: z.strictObject({ attachmentId: id }),
  /** Opens the source of an attachment. */
  openAttachment: z.strictObject({ attachmentId: id }),
  /** Requests completions for the text after `@`. */
  mention: z.strictObject({ query: z.string().max(300) }),
  dismissAttachmentNotice: z.strictObject({}),
};

export type ToHost = ViewMessage<typeof bodies>;
export type ToHostType = ToHost["type"];

/** Parses a message of the view; undefined if it is invalid for this version. */
export function parseToHost(message: unknown): ToHost | undefined {
  return parseViewMessage(bodies, message);
}
