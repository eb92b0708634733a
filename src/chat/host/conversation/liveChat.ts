import { type AnswerMessage, hasWaitingCall, isUnderWay, type Message } from "../../protocol/chatMessages.ts";
import { type AnswerOp, changeAnswer, type Op, type StatePatch } from "../../protocol/chatOps.ts";
import type { ToView } from "../../protocol/chatProtocol.ts";
import { lastingSettings } from "../../protocol/chatSettings.ts";
import type { ChatState } from "../../protocol/chatState.ts";
import { foreignFields, fromStored, settled, storedOf, toTreeNodes } from "../history/log/conversation.ts";
import type { LogEntry, LogLine } from "../history/log/logEntry.ts";
import { type LogState, shownLeaf } from "../history/log/logState.ts";
import { emptyState } from "../start/emptyState.ts";
import { createSharedState, type ViewLink } from "../view/viewLink.ts";
import { draftOnOpening } from "./draft.ts";
import {
  alternativesOf,
  branchesOf,
  createMessageTree,
  type MessageNode,
  type MessageTree,
} from "./messageTree.ts";
import { spentOn } from "./spending.ts";

interface LiveChatDeps {
  /** Called with each change that is stored on disk. */
  readonly record: (entries: readonly LogEntry[]) => void;
  /** Called after each change, including changes of the view state. */
  readonly onChange: () => void;
  readonly onBusy: (busy: boolean) => void;
  /** The problem of an answer that was cut off by the end of the process. */
  readonly interrupted: () => AnswerMessage["problem"];
  /** True if the window writing this answer has died. */
  readonly isOrphaned: (id: string) => boolean;
}

/** Messages that a view gets at first: more than a screen shows, few enough to render quickly. */
const pageLength = 40;
/** Earlier messages per step: several screens, few enough to be sent and rendered between two frames. */
const earlierLength = 20;

export function createLiveChat(deps: LiveChatDeps): LiveChat {
  return new LiveChat(deps);
}

/** The conversation with all branches, the state that all views share, and their connections. */
export class LiveChat {
  readonly #deps: LiveChatDeps;
  readonly #shared = createSharedState(emptyState);
  #tree = createMessageTree();
  #leafId: string | null = null;
  /** Answers that this window is writing. */
  readonly #running = new Set<string>();
  /** Answers with calls that this window begins in their turn. While they wait for the user, the chat is not busy. */
  readonly #waiting = new Set<string>();

  constructor(deps: LiveChatDeps) {
    this.#deps = deps;
  }

  get state(): ChatState {
    return this.#shared.state;
  }

  get tree(): MessageTree {
    return this.#tree;
  }

  /** The last message of the shown path. */
  get leafId(): string | null {
    return this.#leafId;
  }

  /** The shown messages, from the first one. */
  path(): Message[] {
    return this.#tree.pathTo(this.#leafId);
  }

  /** Sets fields in every view. */
  set(patch: StatePatch): void {
    if (patch.draft) this.#deps.record([{ e: "draft", draft: patch.draft }]);
    this.#recordMeta(patch);
    this.#send([{ op: "set", patch }]);
  }

  /** Changes an answer, shown or not; `urgent` changes are sent without waiting for the next frame. */
  change(op: AnswerOp, urgent = true): void {
    this.#apply(op, urgent, true);
    const { op: e, ...changed } = op;
    this.#deps.record([{ e, ...changed } as LogEntry]);
  }

  /** Adds a message after `parentId` and shows the path to it. */
  add(message: Message, parentId: string | null): void {
    const isNext = parentId === this.#leafId;
    this.#tree.add({ ...message, parentId });
    this.#track(message);
    this.#leafId = message.id;
    this.#deps.record([added({ ...message, parentId }), { e: "leaf", id: message.id }]);
    if (isNext) this.#send([{ op: "message", message }]);
    else this.#showPath();
  }

  /** Adds an alternative to a shown answer. */
  addAlternative(message: AnswerMessage, otherId: string): void {
    const node = { ...message, parentId: this.#tree.get(otherId)?.parentId ?? null };
    this.#tree.add(node);
    this.#track(message);
    this.#deps.record([added(node)]);
    const branches = { ...this.state.branches, ...branchesOf(this.#tree, this.state.messages) };
    this.#send([
      { op: "beside", message },
      { op: "set", patch: { branches } },
    ]);
  }

  /** Shows the path that ends with this message. */
  show(leafId: string | null): void {
    this.#leafId = leafId;
    this.#deps.record([{ e: "leaf", id: leafId }]);
    this.#showPath();
  }

  /** Removes messages and their descendants, and shows the path to `leafId`. */
  remove(ids: readonly string[], leafId: string | null): void {
    for (const id of this.#tree.remove(ids)) {
      this.#running.delete(id);
      this.#waiting.delete(id);
    }
    this.#leafId = leafId;
    this.#deps.record([...ids.map((id): LogEntry => ({ e: "remove", id })), { e: "leaf", id: leafId }]);
    this.#showPath();
  }

  /** Shows earlier messages of the path. */
  showEarlier(): void {
    const { earlierCount, branches } = this.state;
    const from = Math.max(0, earlierCount - earlierLength);
    const messages = this.path().slice(from, earlierCount);
    const more = branchesOf(this.#tree, messages);
    const patch = { branches: { ...branches, ...more } };
    this.#send([
      ...alternativesOf(this.#tree, messages).map((message): Op => ({ op: "beside", message })),
      ...(Object.keys(more).length > 0 ? [{ op: "set", patch } as const] : []),
      { op: "earlier", messages, earlierCount: from },
    ]);
  }

  /** Shows another conversation. */
  open(conversation: LogState, notice?: string): void {
    const { state } = this;
    this.#running.clear();
    this.#waiting.clear();
    this.#tree = this.#treeOf(conversation);
    this.#leafId = shownLeaf(conversation);
    const draft = draftOnOpening(state.draft, conversation.draft);
    if (draft === state.draft && draft.text !== "") this.#deps.record([{ e: "draft", draft }]);
    const { attachments, queue, settings, environment } = fromStored(conversation);
    const inherited = this.#tree.isEmpty ? lastingSettings(state.settings) : {};
    if (!settings && Object.keys(inherited).length > 0) this.#recordMeta({ settings: inherited });
    this.#showPath({
      conversationId: conversation.id,
      draft,
      queue,
      settings: settings ?? inherited,
      compareIds: [],
      environment,
      attachments: draft === state.draft || attachments.length === 0 ? state.attachments : attachments,
      attachmentNotice: null,
      problem: null,
      // Its file was damaged.
      notice: notice === undefined ? null : { text: notice, stays: true },
    });
  }

  /** Applies lines that another window wrote; `conversation` already contains them. */
  handle(conversation: LogState, lines: readonly LogLine[]): void {
    // Streamed text of another window is appended, as cheaply as text that streams in this one.
    const isAll = lines.every((line) => {
      const op = toAppend(line, this.#tree, conversation);
      if (!op) return false;
      this.#apply(op, false, false);
      return true;
    });
    if (isAll) return;
    this.#tree = this.#treeOf(conversation);
    for (const id of this.#running) if (!this.#tree.get(id)) this.#running.delete(id);
    this.#leafId = followed(this.#tree, this.#leafId, shownLeaf(conversation), this.#running.size > 0);
    this.#showPath(foreignFields(conversation, lines, this.state.queue));
  }

  /** Marks answers orphaned by a closed window as cut off. */
  settleOrphaned(): void {
    const orphaned = [...this.state.messages, ...this.state.beside].filter((one) => this.#isOrphaned(one));
    for (const { id } of orphaned) {
      const node = this.#tree.get(id);
      if (node) this.#tree.replace(settled(node, this.#deps.interrupted()));
    }
    if (orphaned.length > 0) this.#showPath();
  }

  connect(post: (message: ToView) => void): ViewLink {
    return this.#shared.connect(post);
  }

  disconnect(link: ViewLink): void {
    this.#shared.disconnect(link);
  }

  /** Changes an answer; `isMine` if this window writes it. */
  #apply(op: AnswerOp, urgent: boolean, isMine: boolean): void {
    const node = this.#tree.get(op.id);
    const next = node && changeAnswer(node, op);
    if (!next) throw new Error(`change ${op.op} does not fit the conversation`);
    this.#tree.replace(next);
    if (isMine) this.#track(next);
    const isShown = [...this.state.messages, ...this.state.beside].some(({ id }) => id === op.id);
    const ops: Op[] = isShown ? [op] : [];
    if (op.op === "patch" && (op.patch.usage || op.patch.calls?.some(({ subagent }) => subagent?.usage)))
      ops.push({ op: "set", patch: { spent: spentOn(this.#tree.nodes) } });
    this.#send(ops, urgent && ops.length > 0);
  }

  /** Notes whether this window is writing a message. */
  #track(message: Message): void {
    const isAnswer = message.role === "assistant";
    if (isAnswer && isUnderWay(message)) this.#running.add(message.id);
    else this.#running.delete(message.id);
    if (isAnswer && hasWaitingCall(message)) this.#waiting.add(message.id);
    else this.#waiting.delete(message.id);
  }

  /** The change of `busy` if an answer has started or ended. */
  #busyChange(): StatePatch {
    const busy = this.#running.size > 0;
    if (busy === this.state.busy) return {};
    this.#deps.onBusy(busy);
    return { busy };
  }

  #send(changes: readonly Op[], urgent = true): void {
    const patch = this.#busyChange();
    const ops: Op[] = [...changes, ...("busy" in patch ? [{ op: "set", patch } as const] : [])];
    this.#shared.apply(ops, urgent || ops.length > changes.length);
    this.#deps.onChange();
  }

  /** Resends the shown part of the path, and these fields. */
  #showPath(fields: Partial<ChatState> = {}): void {
    const path = this.path();
    const messages = path.slice(-pageLength);
    this.#shared.replace({
      ...fields,
      ...this.#busyChange(),
      spent: spentOn(this.#tree.nodes),
      messages,
      earlierCount: path.length - messages.length,
      beside: alternativesOf(this.#tree, messages),
      branches: branchesOf(this.#tree, messages),
    });
    this.#deps.onChange();
  }

  #recordMeta(patch: StatePatch): void {
    const meta = storedOf(patch);
    if (Object.keys(meta).length > 0) this.#deps.record([{ e: "meta", meta }]);
  }

  /** The messages of a log; orphaned answers are marked as cut off. */
  #treeOf({ nodes }: LogState): MessageTree {
    const settle = (node: MessageNode) =>
      this.#isOrphaned(node) ? settled(node, this.#deps.interrupted()) : node;
    return createMessageTree(toTreeNodes(nodes.values()).map(settle));
  }

  #isOrphaned(message: Message): boolean {
    if (message.role !== "assistant" || !(isUnderWay(message) || hasWaitingCall(message))) return false;
    const isOwn = this.#running.has(message.id) || this.#waiting.has(message.id);
    return !isOwn && this.#deps.isOrphaned(message.id);
  }
}

function added(node: MessageNode): LogEntry {
  return { e: "node", t: Date.now(), node: { ...node } };
}

/** Text appended to a shown answer; undefined for any other line. */
function toAppend(line: LogLine, tree: MessageTree, { nodes }: LogState): AnswerOp | undefined {
  if (line.e !== "append") return undefined;
  const { id, part, at, text } = line;
  const answer = tree.get(id);
  if (answer?.role !== "assistant" || (part !== "text" && part !== "reasoning")) return undefined;
  const isSame = answer.state === nodes.get(id)?.state && answer[part].length === at;
  return isSame ? { op: "append", id, part, at, text } : undefined;
}

/** The leaf after another window has written: its leaf, if it continues the path that is shown here. */
function followed(
  tree: MessageTree,
  own: string | null,
  foreign: string | null,
  busy: boolean,
): string | null {
  if (own !== null && !tree.get(own)) return foreign;
  const continues = own === null || tree.pathTo(foreign).some(({ id }) => id === own);
  return continues && !busy ? foreign : own;
}
