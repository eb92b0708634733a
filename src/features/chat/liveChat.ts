import type { ToView } from "../../shared/chatProtocol.ts";
import {
  type AnswerMessage,
  type AnswerOp,
  applyOp,
  type ChatState,
  changeAnswer,
  isRunning,
  type Message,
  type Op,
  type StatePatch,
} from "../../shared/chatState.ts";
import { type Conversation, settled } from "./conversation.ts";
import { emptyState } from "./emptyState.ts";
import { createMessageTree, type MessageTree, type TreeNode } from "./messageTree.ts";
import { createViewLink, type ViewLink } from "./viewLink.ts";
import { besideOf, branchesOf } from "./visible.ts";

/** The conversation with all its branches, the state that all views share, and the ways to them. */
export interface LiveChat {
  readonly state: ChatState;
  readonly tree: MessageTree;
  /** The last message of the path that is shown, and the whole path. */
  readonly leafId: string | null;
  path(): Message[];
  /** Sets fields in every view. */
  set(patch: StatePatch): void;
  /** Changes an answer, in sight or not; `urgent` changes do not wait for the next frame. */
  change(op: AnswerOp, urgent?: boolean): void;
  /** Adds a message after `parentId` and shows the path to it. */
  add(message: Message, parentId: string | null): void;
  /** Adds an answer next to one that is shown. */
  addBeside(message: AnswerMessage, otherId: string): void;
  /** Shows the path that ends with this message. */
  show(leafId: string | null): void;
  /** Takes messages out, with all that follow them, and shows the path to `leafId`. */
  remove(ids: readonly string[], leafId: string | null): void;
  /** Shows more of the messages before the ones that are shown. */
  showEarlier(): void;
  /** Shows another conversation. */
  open(conversation: Conversation, notice?: string): void;
  toConversation(): Conversation;
  connect(post: (message: ToView) => void): ViewLink;
  disconnect(link: ViewLink): void;
}

export interface LiveChatDeps {
  /** Called after each change of what is kept on disk. */
  readonly onChange: () => void;
  readonly onBusy: (busy: boolean) => void;
  /** Words for an answer that the end of the process cut off. */
  readonly interrupted: () => AnswerMessage["problem"];
}

/** So many messages a view is given at once: more than a screen shows, few enough to draw in a blink. */
const pageLength = 40;

export function createLiveChat({ onChange, onBusy, interrupted }: LiveChatDeps): LiveChat {
  let tree = createMessageTree();
  let leafId: string | null = null;
  let createdAtMs = Date.now();
  let state = emptyState;
  const running = new Set<string>();
  const links = new Set<ViewLink>();

  const note = (message: Message) => {
    if (message.role === "assistant" && isRunning(message)) running.add(message.id);
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
  /** Draws the end of the path anew. */
  const showPath = () => {
    const path = tree.pathTo(leafId);
    const messages = path.slice(-pageLength);
    state = {
      ...state,
      ...busyNow(),
      messages,
      earlierCount: path.length - messages.length,
      beside: besideOf(tree, messages),
      branches: branchesOf(tree, messages),
    };
    for (const link of links) link.refresh();
    onChange();
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
      send([{ op: "set", patch }]);
    },
    change(op, urgent = true) {
      const known = tree.get(op.id);
      const next = known && changeAnswer(known, op);
      if (!next) throw new Error(`change ${op.op} does not fit the conversation`);
      tree.replace(next);
      note(next);
      const isShown = [...state.messages, ...state.beside].some(({ id }) => id === op.id);
      send(isShown ? [op] : [], urgent && isShown);
    },
    add(message, parentId) {
      const isNext = parentId === leafId;
      tree.add({ ...message, parentId });
      note(message);
      leafId = message.id;
      if (!isNext) return showPath();
      send([{ op: "message", message }]);
    },
    addBeside(message, otherId) {
      tree.add({ ...message, parentId: tree.get(otherId)?.parentId ?? null });
      note(message);
      const branches = { ...state.branches, ...branchesOf(tree, state.messages) };
      send([
        { op: "beside", message },
        { op: "set", patch: { branches } },
      ]);
    },
    show(id) {
      leafId = id;
      showPath();
    },
    remove(ids, leaf) {
      for (const id of tree.remove(ids)) running.delete(id);
      leafId = leaf;
      showPath();
    },
    showEarlier() {
      const { earlierCount } = state;
      const from = Math.max(0, earlierCount - pageLength);
      const messages = tree.pathTo(leafId).slice(from, earlierCount);
      const branches = { ...state.branches, ...branchesOf(tree, messages) };
      send([
        ...besideOf(tree, messages).map((message): Op => ({ op: "beside", message })),
        { op: "set", patch: { branches } },
        { op: "earlier", messages, earlierCount: from },
      ]);
    },
    open(conversation, notice) {
      tree = createMessageTree(
        (conversation.nodes as TreeNode[]).map((node) => settled(node, interrupted())),
      );
      ({ createdAtMs, leafId } = conversation);
      running.clear();
      const { id: conversationId, draft } = conversation;
      // A draft that is already being typed is newer than what the disk holds.
      const newest = state.draft.revision > draft.revision ? state.draft : draft;
      state = { ...state, conversationId, draft: newest, problem: null, notice: notice ?? null };
      showPath();
    },
    toConversation: () => ({
      v: 1,
      id: state.conversationId,
      createdAtMs,
      updatedAtMs: Date.now(),
      nodes: [...tree.nodes] as Conversation["nodes"],
      leafId,
      draft: state.draft,
    }),
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
