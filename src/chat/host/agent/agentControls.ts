import type { ChangedFile } from "../../../changes/engine/changedFile.ts";
import type { LazyChanges } from "../../../changes/engine/lazyChanges.ts";
import type { LastRewind, PendingChanges } from "../../../changes/engine/pendingChanges.ts";
import type { Session } from "../../../session/session.ts";
import { countedPart } from "../../../shared/money/budgetRule.ts";
import { hitRateOf } from "../../../shared/money/hitRate.ts";
import { shortened } from "../../../shared/text/shortened.ts";
import { isQuestion, isRunning, type Message } from "../../protocol/chatMessages.ts";
import type { ChatState } from "../../protocol/chatState.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import { spentOn } from "../conversation/spending.ts";
import type { CommandRuns } from "../tools/commands/commandRuns.ts";
import { createRewinds, type Rewinds, type RewindsDeps } from "./rewinds.ts";
import { limitsOf, taskOf } from "./task.ts";
import { planOf, setUserPlan } from "./userPlan.ts";

export interface AgentControlsDeps extends RewindsDeps {
  readonly session: Pick<Session, "active" | "spend">;
  readonly changes: Pick<LazyChanges, "load" | "onDidLoad">;
  readonly runs: Pick<CommandRuns, "list" | "onDidChange" | "stop" | "forget">;
  /** The user comes back to the window. Undefined where no window is. */
  readonly onDidReturn?: (listener: () => void) => { dispose(): void };
}

/** The task of a chat: its cost, its plan, its changed files, and the way back. */
export interface AgentControls extends Rewinds {
  /** Ends a background command, or takes one that has ended off the list. */
  stopCommand(id: string): void;
  /** Stores the plan as the user wrote it. */
  setPlan(plan: string): void;
  /** Updates the cost of the task in the state; called after each change. */
  update(): void;
  dispose(): void;
}

/** Files that the list names. */
const mostListed = 200;
/** Characters of the target of a link. */
const mostTarget = 200;
/** Changes within this time are sent as one list, because a list has up to 200 rows and a task may change many files. */
const listMs = 100;

export function createAgentControls(deps: AgentControlsDeps): AgentControls {
  const { chat, changes, runs } = deps;
  let undo: LastRewind | undefined;
  let isDisposed = false;
  const watching: { dispose(): void }[] = [];
  const watchPending = (pending: PendingChanges) => {
    const noteRewind = () => {
      if (undo === pending.lastRewind) return;
      undo = pending.lastRewind;
      queueMicrotask(() => updateNow());
    };
    watching.push(watchFiles(pending, chat, noteRewind));
  };
  // Files may be pending and commands run already. The chat learns of them when all of its parts exist.
  queueMicrotask(() => {
    if (isDisposed) return;
    const list = () => chat.set({ commands: runs.list });
    if (runs.list.length > 0) list();
    watching.push(runs.onDidChange(list), changes.onDidLoad(watchPending));
  });
  const task = createTaskUpdates(deps);
  let isScheduled = false;
  const updateNow = () => {
    isScheduled = false;
    const last = undo?.isUndo ? "undo" : "rewind";
    const undoableRewind = undo?.of === chat.state.conversationId ? last : null;
    if (undoableRewind !== chat.state.undoableRewind) chat.set({ undoableRewind });
    task.update();
  };
  const update = () => {
    if (isScheduled) return;
    isScheduled = true;
    // A change within a change would reach the views before it.
    queueMicrotask(updateNow);
  };
  // Another window may have gone on with the conversation, at a cost.
  const returning = deps.onDidReturn?.(() => {
    task.expire();
    update();
  });
  if (returning) watching.push(returning);
  return {
    ...createRewinds(deps, () => undo),
    stopCommand(id) {
      const run = runs.list.find((one) => one.id === id);
      if (run?.ended !== undefined) runs.forget(id);
      else if (run) runs.stop(id);
    },
    setPlan: (plan) => setUserPlan(chat, plan),
    update,
    dispose() {
      isDisposed = true;
      for (const one of watching) one.dispose();
    },
  };
}

interface TaskUpdates {
  update(): void;
  /** The next update reads the cost, though nothing has changed here. */
  expire(): void;
}

/** Shows the cost of the task once its calls have settled. */
function createTaskUpdates({ chat, session, report }: AgentControlsDeps): TaskUpdates {
  let shown = "";
  const show = async (stamp: string) => {
    const path = chat.path();
    const { settings } = chat.state;
    const task = taskOf(path, settings);
    const connection = session.active;
    if (!task || !connection) return chat.set({ task: null });
    const { capUsd, rounds } = limitsOf(settings);
    const spend = await session.spend();
    const { spent, claimed } = await spend.taskSpend(connection, { ...task, capUsd });
    if (stamp !== shown) return;
    chat.set({
      task: {
        round: task.round,
        rounds,
        spent: countedPart(spent).toTexts(),
        reservedUsd: claimed.toNumber(),
        predictedUsd: predictionOf(path.at(-1)) ?? null,
        capUsd,
        isPlayMoney: connection.kind === "sandbox",
        hitRate: hitRateOf(spentOn(answersIn(path))) ?? null,
      },
    });
  };
  const update = () => {
    const { busy, settings, conversationId } = chat.state;
    const path = chat.path();
    const plan = planOf(path)?.plan ?? null;
    if (plan !== chat.state.plan) chat.set({ plan });
    if ((settings.mode ?? "ask") === "ask" && chat.state.task === null) return;
    const last = path.at(-1);
    const calls =
      last?.role === "assistant"
        ? (last.calls ?? []).map(({ state, subagent }) => `${state}${subagent?.rounds ?? ""}`).join()
        : "";
    const limits = JSON.stringify(settings.task);
    const stamp = [
      conversationId,
      session.active?.id,
      busy,
      settings.mode,
      limits,
      last?.id,
      calls,
      predictionOf(last),
    ].join(" ");
    if (stamp === shown) return;
    shown = stamp;
    void show(stamp).catch(report);
  };
  return {
    update,
    expire() {
      shown = "";
    },
  };
}

/** The answers of the last question. */
function answersIn(path: readonly Message[]): readonly Message[] {
  return path.slice(path.findLastIndex(isQuestion) + 1);
}

/** Expected USD of an answer that is being written. */
function predictionOf(last: Message | undefined): number | undefined {
  return last?.role === "assistant" && isRunning(last) ? last.predictedUsd : undefined;
}

/** Keeps the list of changed files. */
function watchFiles(pending: PendingChanges, chat: LiveChat, onChange: () => void): { dispose(): void } {
  let shown = "";
  let timer: NodeJS.Timeout | undefined;
  const list = () => {
    timer = undefined;
    const now = listed(pending);
    const stamp = JSON.stringify(now);
    // Hunks that only moved, which is so after most line breaks that the user types, change nothing in the list.
    if (stamp !== shown) chat.set(now);
    shown = stamp;
  };
  list();
  onChange();
  const watching = pending.onDidChange(() => {
    timer ??= setTimeout(list, listMs);
    onChange();
  });
  return {
    dispose() {
      clearTimeout(timer);
      watching.dispose();
    },
  };
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
  link,
}: ChangedFile): ChatState["changedFiles"][number] {
  const shown = (target: string | undefined) => target && shortened(target, mostTarget);
  const leads = link && { link: { before: shown(link.before), after: shown(link.after) } };
  return { uri: uri.toString(), path, kind, added, removed, hunks: hunks.length, ...leads };
}
