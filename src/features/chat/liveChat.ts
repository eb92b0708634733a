import { type AnswerMessage, isUnderWay, type Message } from "../../shared/chatMessages.ts";
import { type AnswerOp, applyOp, changeAnswer, type Op, type StatePatch } from "../../shared/chatOps.ts";
import type { ToView } from "../../shared/chatProtocol.ts";
import type { ChatState, QuestionDraft } from "../../shared/chatState.ts";
import { fromStored, settled, storedOf, toTreeNodes } from "./conversation.ts";
import { emptyState } from "./emptyState.ts";
import type { LogEntry, LogLine } from "./history/logEntry.ts";
import { type LogState, shownLeaf } from "./history/logState.ts";
import {
  alternativesOf,
  branchesOf,
  createMessageTree,
  type MessageNode,
  type MessageTree,
} from "./messageTree.ts";
import { spentOn } from "./spending.ts";
import { createViewLink, type ViewLink } from "./viewLink.ts";

/** The conversation with all branches, the state that all views share, and their connections. */
export interface LiveChat {
  readonly state: ChatState;
  readonly tree: MessageTree;
  /** The last message of the shown path, and the path. */
  readonly leafId: string | null;
  path(): Message[];
  /** Sets fields in every view. */
  set(patch: StatePatch): void;
  /** Changes an answer, shown or not; `urgent` changes are sent without waiting for the next frame. */
  change(op: AnswerOp, urgent?: boolean): void;
  /** Adds a message after `parentId` and shows the path to it. */
  add(message: Message, parentId: string | null): void;
  /** Adds an alternative to a shown answer. */
  addAlternative(message: AnswerMessage, otherId: string): void;
  /** Shows the path that ends with this message. */
  show(leafId: string | null): void;
  /** Removes messages and their descendants, and shows the path to `leafId`. */
  remove(ids: readonly string[], leafId: string | null): void;
  /** Shows earlier messages of the path. */
  showEarlier(): void;
  /** Shows another conversation. */
  open(conversation: LogState, notice?: string): void;
  /** Applies lines that another window wrote; `conversation` already contains them. */
  handle(conversation: LogState, lines: readonly LogLine[]): void;
  /** Marks answers orphaned by a closed window as cut off. */
  settleOrphaned(): void;
  connect(post: (message: ToView) => void): ViewLink;
  disconnect(link: ViewLink): void;
}

export interface LiveChatDeps {
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
  const { record, onChange, onBusy } = deps;
  let tree = createMessageTree();
  let leafId: string | null = null;
  let state = emptyState;
  const running = new Set<string>();
  const links = new Set<ViewLink>();

  const isOrphaned = (message: Message) =>
    message.role === "assistant" &&
    isUnderWay(message) &&
    !running.has(message.id) &&
    deps.isOrphaned(message.id);
  /** The messages of a log; orphaned answers are marked as cut off. */
  const treeOf = ({ nodes }: LogState) =>
    createMessageTree(
      toTreeNodes(nodes.values()).map((node) =>
        isOrphaned(node) ? settled(node, deps.interrupted()) : node,
      ),
    );
  const keep = (patch: StatePatch) => {
    const meta = storedOf(patch);
    if (Object.keys(meta).length > 0) record([{ e: "meta", meta }]);
  };
  const note = (message: Message) => {
    if (message.role === "assistant" && isUnderWay(message)) running.add(message.id);
    else running.delete(message.id);
  };
  const busyNow = (): StatePatch => {
    const busy = running.size > 0;
    if (busy === state.busy) return {};
    onBusy(busy);
    return { busy };
  };
  const send = (changes: readonly Op[], urgent = true) => {
    const patch = busyNow();
    const ops: Op[] = [...changes, ...("busy" in patch ? [{ op: "set", patch } as const] : [])];
    for (const op of ops) {
      const next = applyOp(state, op);
      if (!next) throw new Error(`change ${op.op} does not fit what is shown`);
      state = next;
    }
    for (const link of links) link.push(ops, urgent || ops.length > changes.length);
    onChange();
  };
  /** Resends the shown part of the path. */
  const showPath = () => {
    const path = tree.pathTo(leafId);
    const messages = path.slice(-pageLength);
    state = {
      ...state,
      ...busyNow(),
      spent: spentOn(tree.nodes),
      messages,
      earlierCount: path.length - messages.length,
      beside: alternativesOf(tree, messages),
      branches: branchesOf(tree, messages),
    };
    for (const link of links) link.refresh();
    onChange();
  };
  const change = (op: AnswerOp, urgent: boolean, isMine: boolean) => {
    const known = tree.get(op.id);
    const next = known && changeAnswer(known, op);
    if (!next) throw new Error(`change ${op.op} does not fit the conversation`);
    tree.replace(next);
    if (isMine) note(next);
    const isShown = [...state.messages, ...state.beside].some(({ id }) => id === op.id);
    const ops: Op[] = isShown ? [op] : [];
    if (op.op === "patch" && op.patch.usage) ops.push({ op: "set", patch: { spent: spentOn(tree.nodes) } });
    send(ops, urgent && ops.length > 0);
  };
  return {
    get state() {
      return state;
    },
    get tree() {
      return tree;
    },
    get leafId() {
      return leafId;
    },
    path: () => tree.pathTo(leafId),
    set(patch) {
      if (patch.draft) record([{ e: "draft", draft: patch.draft }]);
      keep(patch);
      send([{ op: "set", patch }]);
    },
    change(op, urgent = true) {
      change(op, urgent, true);
      const { op: e, ...changed } = op;
      record([{ e, ...changed } as LogEntry]);
    },
    add(message, parentId) {
      const isNext = parentId === leafId;
      tree.add({ ...message, parentId });
      note(message);
      leafId = message.id;
      record([added({ ...message, parentId }), { e: "leaf", id: leafId }]);
      if (!isNext) return showPath();
      send([{ op: "message", message }]);
    },
    addAlternative(message, otherId) {
      const node = { ...message, parentId: tree.get(otherId)?.parentId ?? null };
      tree.add(node);
      note(message);
      record([added(node)]);
      const branches = { ...state.branches, ...branchesOf(tree, state.messages) };
      send([
        { op: "beside", message },
        { op: "set", patch: { branches } },
      ]);
    },
    show(id) {
      leafId = id;
      record([{ e: "leaf", id }]);
      showPath();
    },
    remove(ids, leaf) {
      for (const id of tree.remove(ids)) running.delete(id);
      leafId = leaf;
      record([...ids.map((id): LogEntry => ({ e: "remove", id })), { e: "leaf", id: leaf }]);
      showPath();
    },
    showEarlier() {
      const { earlierCount } = state;
      const from = Math.max(0, earlierCount - earlierLength);
      const messages = tree.pathTo(leafId).slice(from, earlierCount);
      const more = branchesOf(tree, messages);
      const patch = { branches: { ...state.branches, ...more } };
      send([
        ...alternativesOf(tree, messages).map((message): Op => ({ op: "beside", message })),
        ...(Object.keys(more).length > 0 ? [{ op: "set", patch } as const] : []),
        { op: "earlier", messages, earlierCount: from },
      ]);
    },
    open(conversation, notice) {
      running.clear();
      tree = treeOf(conversation);
      leafId = shownLeaf(conversation);
      const { id: conversationId } = conversation;
      const draft = draftOnOpening(state.draft, conversation.draft);
      if (draft === state.draft && draft.text !== "") record([{ e: "draft", draft }]);
      const { attachments: along, queue, settings: known } = fromStored(conversation.meta);
      // Changed settings are meant for later conversations, too: a new one starts with the current settings.
      const stored = tree.isEmpty ? state.settings : {};
      if (!known && Object.keys(stored).length > 0) keep({ settings: stored });
      state = {
        ...state,
        conversationId,
        draft,
        queue,
        settings: known ?? stored,
        attachments: draft === state.draft || along.length === 0 ? state.attachments : along,
        attachmentNotice: null,
        problem: null,
        notice: notice ?? null,
      };
      showPath();
    },
    handle(conversation, lines) {
      // Streamed text of another window is appended, as cheaply as text that streams in this one.
      const isAll = lines.every((line) => {
        const op = toAppend(line, tree, conversation);
        if (op) change(op, false, false);
        return op !== undefined;
      });
      if (isAll) return;
      tree = treeOf(conversation);
      for (const id of running) if (!tree.get(id)) running.delete(id);
      leafId = followed(tree, leafId, shownLeaf(conversation), running.size > 0);
      showPath();
    },
    settleOrphaned() {
      const orphaned = [...state.messages, ...state.beside].filter(isOrphaned);
      for (const { id } of orphaned) {
        const node = tree.get(id);
        if (node) tree.replace(settled(node, deps.interrupted()));
      }
      if (orphaned.length > 0) showPath();
    },
    connect(post) {
      const link = createViewLink(post, () => state);
      links.add(link);
      return link;
    },
    disconnect(link) {
      link.pause();
      links.delete(link);
    },
  };
}

/** The draft in the prompt is newer than the stored one. An empty prompt takes the stored draft. */
function draftOnOpening(typed: QuestionDraft, stored: QuestionDraft): QuestionDraft {
  if (typed.revision <= stored.revision || typed.text !== "")
    return typed.revision > stored.revision ? typed : stored;
  return { text: stored.text, revision: typed.revision + 1 };
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
  mine: string | null,
  theirs: string | null,
  busy: boolean,
): string | null {
  if (mine !== null && !tree.get(mine)) return theirs;
  const goesOn = mine === null || tree.pathTo(theirs).some(({ id }) => id === mine);
  return goesOn && !busy ? theirs : mine;
}
