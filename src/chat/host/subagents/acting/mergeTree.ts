import { isSameText } from "../../../../changes/engine/files/contents.ts";
import type { AgentWriter, FileChange, WrittenText } from "../../../../changes/engine/pendingChanges.ts";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { messageOf } from "../../../../shared/messageOf.ts";
import type { TreeChange } from "./subagentTree.ts";
import { type Conflict, threeWay } from "./threeWay.ts";

/** The workspace as the user has it. */
export interface LiveFiles {
  readonly writer: AgentWriter;
  /** The text as its editor shows it, also unsaved. Rejects with a Refusal without one. */
  readText(path: string): Promise<string>;
}

/** The result of merging one change of a subagent. */
export interface MergedChange {
  readonly change: TreeChange;
  /** Why it was not taken over, as a sentence; absent if it was. */
  readonly refusal?: string;
  /** The places that the user has changed, too. */
  readonly conflicts?: readonly Conflict[];
}

/** Who is told of what was changed in the workspace. */
export interface MergeEvents {
  readonly onWritten: (text: WrittenText) => void;
  readonly onChanged: (changes: readonly FileChange[]) => void;
}

/** A text of the workspace can't get the changes of a subagent. Its message is for the model. */
class Conflicting extends Refusal {
  readonly conflicts: readonly Conflict[];

  constructor(message: string, conflicts: readonly Conflict[] = []) {
    super(message);
    this.conflicts = conflicts;
  }
}

/**
 * Makes the changes of a subagent in the workspace, each file as a whole or not at all. What the user or another agent has
 * changed since the subagent began stays: lines that both have changed are a conflict, and leave the file as it is.
 */
export async function mergeTree(
  changes: readonly TreeChange[],
  live: LiveFiles,
  events: MergeEvents,
  signal: AbortSignal,
): Promise<readonly MergedChange[]> {
  const merged: MergedChange[] = [];
  for (const change of inOrder(changes)) {
    signal.throwIfAborted();
    try {
      await mergeOne(change, live, events, signal);
      merged.push({ change });
    } catch (error) {
      signal.throwIfAborted();
      const conflicts = error instanceof Conflicting ? error.conflicts : [];
      merged.push({ change, refusal: messageOf(error), ...(conflicts.length > 0 ? { conflicts } : {}) });
    }
  }
  return merged;
}

/** First what makes room: deletions, and moves away from the target of another move. */
function inOrder(changes: readonly TreeChange[]): readonly TreeChange[] {
  const isMove = ({ from, to }: TreeChange) => from !== undefined && to !== undefined && from !== to;
  const waiting = new Map(changes.filter(isMove).map((change) => [change.from, change]));
  const moves: TreeChange[] = [];
  const take = (change: TreeChange) => {
    // Those of a cycle are taken as they come, and told as what they are.
    waiting.delete(change.from);
    const before = waiting.get(change.to);
    if (before) take(before);
    moves.push(change);
  };
  for (const change of [...waiting.values()]) if (waiting.has(change.from)) take(change);
  const others = changes.filter((change) => !isMove(change));
  return [
    ...others.filter(({ to }) => to === undefined),
    ...moves,
    ...others.filter(({ to }) => to !== undefined),
  ];
}

function mergeOne(
  change: TreeChange,
  live: LiveFiles,
  events: MergeEvents,
  signal: AbortSignal,
): Promise<void> {
  const { from, to, base, text } = change;
  if (to === undefined) return removeOne(from ?? "", base, live, events, signal);
  if (from === undefined) return createOne(to, text ?? "", live, events, signal);
  return changeOne({ ...change, from, to }, live, events, signal);
}

async function removeOne(
  path: string,
  base: string | undefined,
  { writer, readText }: LiveFiles,
  { onChanged }: MergeEvents,
  signal: AbortSignal,
): Promise<void> {
  const now = await readText(path);
  if (base === undefined || !isSameText(now, base))
    throw new Conflicting(`${path} was not deleted: it has changed since the subagent began.`);
  onChanged([await writer.remove(path, signal)]);
}

async function createOne(
  path: string,
  text: string,
  { writer, readText }: LiveFiles,
  { onChanged, onWritten }: MergeEvents,
  signal: AbortSignal,
): Promise<void> {
  const isThere = await readText(path).then(
    (now) => now,
    () => undefined,
  );
  if (isThere === undefined) onChanged([await writer.write(path, text, signal, { onWritten })]);
  else if (!isSameText(isThere, text))
    throw new Conflicting(`${path} was not created: there is a file of this name now.`);
}

async function changeOne(
  { from, to, base, text }: TreeChange & { readonly from: string; readonly to: string },
  { writer }: LiveFiles,
  { onChanged, onWritten }: MergeEvents,
  signal: AbortSignal,
): Promise<void> {
  if (from !== to) onChanged(await writer.move(from, to, signal));
  if (base === undefined || text === undefined || base === text) return;
  const merge = (now: string): string => {
    const merged = threeWay(base, now, text);
    if ("text" in merged) return merged.text;
    const moved = from === to ? "" : ` It was moved from ${from}.`;
    throw new Conflicting(
      `${to} was left as it is: lines that the subagent has changed were changed in the workspace meanwhile.${moved}`,
      merged.conflicts,
    );
  };
  onChanged([await writer.edit(to, merge, signal, { onWritten })]);
}
