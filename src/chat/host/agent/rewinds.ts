import type { LazyChanges } from "../../../changes/engine/lazyChanges.ts";
import {
  type AskAboutOthers,
  countFiles,
  type FileChange,
  type KeptFile,
  type LastRewind,
  type Rewound,
} from "../../../changes/engine/pendingChanges.ts";
import { messageOf } from "../../../shared/messageOf.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";
import { shortList } from "../../../shared/text/shortened.ts";
import type { ChatNotice } from "../../protocol/chatState.ts";
import { nextDraft } from "../conversation/draft.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import type { MessageTree } from "../conversation/messageTree.ts";

/** The scope of a rewind. */
type RewindScope = "files" | "chat" | "both";

export interface RewindsDeps {
  readonly chat: LiveChat;
  readonly changes: Pick<LazyChanges, "load">;
  /** Asks about files that others have changed since. */
  readonly askAboutOthers: AskAboutOthers;
  readonly report: (error: unknown) => void;
}

/** The way back: files, the chat or both, with the reason for each file that stays as it is. */
export interface Rewinds {
  /** Rewinds to before a question. */
  rewind(questionId: string, scope: RewindScope): Promise<void>;
  /** Undoes the last rewind of files, if it was of this chat. */
  undoRewind(): Promise<void>;
}

export function createRewinds(deps: RewindsDeps, lastRewind: () => LastRewind | undefined): Rewinds {
  const { chat, changes, report } = deps;
  let isRewinding = false;
  /** True if all files are rewound and the chat is still open: the user may have opened another one meanwhile. */
  const rewindFiles = async (made: readonly FileChange[], isUndo = false): Promise<boolean> => {
    const { conversationId } = chat.state;
    const count = countFiles(made);
    const files = count === 1 ? "1 file" : `${count} files`;
    const text = isUndo ? `Undoing the rewind of ${files}…` : `Rewinding ${files}…`;
    const notice: ChatNotice = { text, stays: true };
    chat.set({ notice });
    const rewinding = (await changes.load()).rewind(made, deps.askAboutOthers, conversationId);
    const done = await rewinding.finally(() => {
      if (chat.state.notice === notice) chat.set({ notice: null });
    });
    if (!done) return false;
    chat.set({ notice: noticeOf(done, isUndo) });
    return done.failure === undefined && chat.state.conversationId === conversationId;
  };
  const guarded = async (work: () => Promise<void>) => {
    if (chat.state.busy)
      return chat.set({
        notice: {
          text: "Nothing was rewound, because the task is running. Stop it, and rewind again.",
          stays: true,
        },
      });
    // The first one says what it does.
    if (isRewinding) return;
    isRewinding = true;
    try {
      await work();
    } catch (error) {
      report(error);
      const reason = messageOf(error);
      const sentence = reason.replace(/[.\s]*$/, ".");
      const text = `Nothing more was rewound: ${sentence} Remove the cause, and rewind again.`;
      chat.set({ notice: { text, stays: true } });
    } finally {
      isRewinding = false;
    }
  };
  return {
    rewind: (questionId, scope) =>
      guarded(async () => {
        const path = chat.path();
        const at = path.findIndex(({ id }) => id === questionId);
        const question = path[at];
        if (question?.role !== "user") return;
        if (scope !== "chat" && !(await rewindFiles(changesSince(chat.tree, questionId)))) return;
        // A question that was asked meanwhile stays.
        if (scope === "files" || chat.state.busy) return;
        const { draft } = chat.state;
        chat.show(path[at - 1]?.id ?? null);
        if (draft.text.trim() === "") chat.set({ draft: nextDraft(draft, question.text, Date.now()) });
      }),
    undoRewind: () =>
      guarded(async () => {
        const undo = lastRewind();
        if (undo && undo.of === chat.state.conversationId) await rewindFiles(undo.changes, !undo.isUndo);
      }),
  };
}

function noticeOf({ changes, kept, failure }: Rewound, isUndo: boolean): ChatNotice {
  const chosen = kept.filter(({ isChosen }) => isChosen);
  const others = kept.filter(({ isChosen }) => !isChosen);
  const files = countFiles(changes);
  const them = others.length === 1 ? "it is" : "they are";
  const needsStep = others.length > 0 || failure !== undefined;
  const text = [
    isUndo ? `The rewind was undone: ${counted(files)} restored.` : `${counted(files)} rewound.`,
    chosen.length > 0
      ? `${counted(chosen.length)} kept as you chose: ${shortList(chosen.map(chosenName), mostNames)}.`
      : "",
    others.length > 0 ? `${counted(others.length)} left as ${them}. ${reasonsOf(others)}` : "",
    others.length > 0 ? "Remove the cause, and rewind again." : "",
    failure === undefined
      ? ""
      : `Then it stopped: ${failure} Remove the cause, and rewind again for the rest.`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
  return { text, ...(needsStep && { stays: true }) };
}

/** Files that a notice names. */
const mostNames = 5;

function chosenName({ path, reason }: KeptFile): string {
  return visibleLine(`${path} (${reason})`);
}

/** One sentence for each file. */
function reasonsOf(files: readonly KeptFile[]): string {
  const shown = files.slice(0, mostNames).map(({ reason }) => visibleLine(reason.replace(/[.\s]*$/, ".")));
  const more = files.length - mostNames;
  return [...shown, ...(more > 0 ? [`And ${more} more.`] : [])].join(" ");
}

function counted(files: number): string {
  return files === 1 ? "1 file was" : `${files} files were`;
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
