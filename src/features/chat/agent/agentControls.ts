import type { LazyChanges } from "../../../session/changes/lazyChanges.ts";
import type {
  ChangedFile,
  FileChange,
  LastRewind,
  PendingChanges,
} from "../../../session/changes/pendingChanges.ts";
import type { Session } from "../../../session/session.ts";
import { type AnswerMessage, isRunning, type Message } from "../../../shared/chatMessages.ts";
import type { ChatState } from "../../../shared/chatState.ts";
import { toNumber } from "../../../shared/money/exact.ts";
import { nextDraft } from "../draft.ts";
import type { LiveChat } from "../liveChat.ts";
import type { MessageTree } from "../messageTree.ts";
import type { CommandRuns } from "./commandRuns.ts";
import { limitsOf, taskOf } from "./task.ts";

/** The scope of a rewind. */
type RewindScope = "files" | "chat" | "both";

export interface AgentControlsDeps {
  readonly chat: LiveChat;
  readonly session: Pick<Session, "active" | "spend">;
  readonly changes: Pick<LazyChanges, "load" | "onDidLoad">;
  readonly runs: Pick<CommandRuns, "list" | "onDidChange" | "stop">;
  /** Asks about files that others have changed since. */
  readonly askAboutOthers: (paths: readonly string[]) => Promise<"overwrite" | "keep" | undefined>;
  readonly report: (error: unknown) => void;
}

/** The task of a chat: its cost, its plan, its changed files, and the way back. */
export interface AgentControls {
  /** Rewinds to before a question. */
  rewind(questionId: string, scope: RewindScope): Promise<void>;
  /** Undoes the last rewind of files, if it was of this chat. */
  undoRewind(): Promise<void>;
  /** Ends a background command. */
  stopCommand(id: string): void;
  /** Stores the plan as the user wrote it. */
  setPlan(plan: string): void;
  /** Updates the cost of the task in the state; called after each change. */
  update(): void;
  dispose(): void;
}

/** Files that the list names. */
const mostListed = 200;

export function createAgentControls(deps: AgentControlsDeps): AgentControls {
  const { chat, changes, runs, report } = deps;
  const listing = runs.onDidChange(() => chat.set({ commands: runs.list }));
  let undo: LastRewind | undefined;
  let watching: { dispose(): void } | undefined;
  const loaded = changes.onDidLoad((pending) => {
    watching = watchFiles(pending, chat, () => {
      if (undo === pending.lastRewind) return;
      undo = pending.lastRewind;
      queueMicrotask(() => updateNow());
    });
  });
  /** True if all files are rewound and the chat is still open: the user may have opened another one meanwhile. */
  const rewindFiles = async (made: readonly FileChange[]): Promise<boolean> => {
    const { conversationId } = chat.state;
    const done = await (await changes.load()).rewind(made, deps.askAboutOthers, conversationId);
    if (!done) return false;
    const kept = done.kept.length > 0 ? ` Left as they are: ${done.kept.join(", ")}.` : "";
    const failure = done.failure === undefined ? "" : ` Then it stopped: ${done.failure}`;
    if (chat.state.conversationId !== conversationId) return false;
    chat.set({ notice: `${counted(done.changes)} rewound.${kept}${failure}` });
    return done.failure === undefined;
  };
  const updateTask = createTaskUpdates(deps);
  let isScheduled = false;
  const updateNow = () => {
    isScheduled = false;
    const canUndoRewind = undo?.of === chat.state.conversationId;
    if (canUndoRewind !== chat.state.canUndoRewind) chat.set({ canUndoRewind });
    updateTask();
  };
  const guarded = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      report(error);
      const reason = error instanceof Error ? error.message : String(error);
      chat.set({ notice: `Nothing more was rewound: ${reason}` });
    }
  };
  return {
    rewind: (questionId, scope) =>
      guarded(async () => {
        const { busy } = chat.state;
        const path = chat.path();
        const at = path.findIndex(({ id }) => id === questionId);
        const question = path[at];
        if (busy || question?.role !== "user") return;
        if (scope !== "chat" && !(await rewindFiles(changesSince(chat.tree, questionId)))) return;
        if (scope === "files") return;
        const { draft } = chat.state;
        chat.show(path[at - 1]?.id ?? null);
        if (draft.text.trim() === "") chat.set({ draft: nextDraft(draft, question.text, Date.now()) });
      }),
    undoRewind: () =>
      guarded(async () => {
        if (undo && undo.of === chat.state.conversationId) await rewindFiles(undo.changes);
      }),
    stopCommand(id) {
      if (runs.list.some((run) => run.id === id)) runs.stop(id);
    },
    setPlan(plan) {
      const answer = chat.path().findLast(hasPlan);
      if (answer && answer.plan !== plan)
        chat.change({ op: "patch", id: answer.id, patch: { plan, isPlanEdited: true } });
    },
    update() {
      if (isScheduled) return;
      isScheduled = true;
      // A change within a change would reach the views before it.
      queueMicrotask(updateNow);
    },
    dispose() {
      listing.dispose();
      loaded.dispose();
      watching?.dispose();
    },
  };
}

/** Shows the cost of the task once its calls have settled. */
function createTaskUpdates({ chat, session, report }: AgentControlsDeps): () => void {
  let shown = "";
  const show = async (stamp: string) => {
    const path = chat.path();
    const { settings } = chat.state;
    const task = taskOf(path, settings);
    const connection = session.active;
    if (!task || !connection) return chat.set({ task: null });
    const { capUsd, rounds } = limitsOf(settings);
    const spend = await session.spend();
    const { spentUsd, claimedUsd } = await spend.taskSpend(connection, { ...task, capUsd });
    if (stamp !== shown) return;
    chat.set({
      task: {
        round: task.round,
        rounds,
        spentUsd: toNumber(spentUsd),
        reservedUsd: toNumber(claimedUsd),
        predictedUsd: predictionOf(path.at(-1)) ?? null,
        capUsd,
        isPlayMoney: connection.kind === "sandbox",
      },
    });
  };
  return () => {
    const { busy, settings, conversationId } = chat.state;
    const path = chat.path();
    const plan = path.findLast(hasPlan)?.plan ?? null;
    if (plan !== chat.state.plan) chat.set({ plan });
    if ((settings.mode ?? "ask") === "ask" && chat.state.task === null) return;
    const last = path.at(-1);
    const calls = last?.role === "assistant" ? (last.calls ?? []).map(({ state }) => state).join() : "";
    const limits = JSON.stringify(settings.task);
    const stamp = [conversationId, busy, settings.mode, limits, last?.id, calls, predictionOf(last)].join(
      " ",
    );
    if (stamp === shown) return;
    shown = stamp;
    void show(stamp).catch(report);
  };
}

/** Expected USD of an answer that is being written. */
function predictionOf(last: Message | undefined): number | undefined {
  return last?.role === "assistant" && isRunning(last) ? last.predictedUsd : undefined;
}

/**
 * All changes since a question was asked, in the order of time. Files have no branches: answers that are not shown any
 * more have changed them, too.
 */
function changesSince({ nodes }: MessageTree, questionId: string): readonly FileChange[] {
  const answers = [...nodes].filter((node) => node.role === "assistant");
  const first = answers.filter(({ parentId }) => parentId === questionId);
  const askedAtMs = first.reduce(
    (atMs, { startedAtMs }) => Math.min(atMs, startedAtMs),
    Number.POSITIVE_INFINITY,
  );
  return answers
    .filter(({ startedAtMs }) => startedAtMs >= askedAtMs)
    .toSorted((one, other) => one.startedAtMs - other.startedAtMs)
    .flatMap(({ changes = [] }) => changes);
}

function hasPlan(message: Message): message is AnswerMessage {
  return message.role === "assistant" && message.plan !== undefined;
}

/** Keeps the list of changed files. */
function watchFiles(pending: PendingChanges, chat: LiveChat, onChange: () => void): { dispose(): void } {
  let shown = "";
  const list = () => {
    const now = listed(pending);
    const stamp = JSON.stringify(now);
    // Hunks that only moved, which is so after most line breaks that the user types, change nothing in the list.
    if (stamp !== shown) chat.set(now);
    shown = stamp;
    onChange();
  };
  list();
  return pending.onDidChange(list);
}

function listed({ files }: PendingChanges): Pick<ChatState, "changedFiles" | "changedFileCount"> {
  return { changedFiles: files.slice(0, mostListed).map(toListed), changedFileCount: files.length };
}

function toListed({
  uri,
  path,
  kind,
  added,
  removed,
  hunks,
}: ChangedFile): ChatState["changedFiles"][number] {
  return { uri: uri.toString(), path, kind, added, removed, hunks: hunks.length };
}

function counted({ length }: readonly unknown[]): string {
  return length === 1 ? "1 file was" : `${length} files were`;
}
