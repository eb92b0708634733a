import { isSameText } from "../../../../changes/engine/files/contents.ts";
import type { FileChange, FileWriter, WrittenText } from "../../../../changes/engine/pendingChanges.ts";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { sha256 } from "../../../../platform/sha256.ts";
import { messageOf } from "../../../../shared/messageOf.ts";
import type { TreeChange, TreeData } from "./subagentTree.ts";
import { type Conflict, threeWay } from "./threeWay.ts";

/** The workspace as the user has it. */
export interface LiveFiles {
  readonly writer: FileWriter;
  /** The text as its editor shows it, also unsaved. Rejects with a Refusal without one. */
  readText(path: string): Promise<string>;
  /** Without unsaved text. Rejects with a Refusal without a file. */
  readBytes(path: string): Promise<Uint8Array>;
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

async function mergeOne(
  change: TreeChange,
  live: LiveFiles,
  events: MergeEvents,
  signal: AbortSignal,
): Promise<void> {
  const { from, to, data, isProgram } = change;
  if (to === undefined) return removeOne(change, live, events, signal);
  if (data) await putOne({ ...change, to, data }, live, events, signal);
  else if (from === undefined) await createOne(to, change.text ?? "", live, events, signal);
  else await changeOne({ ...change, from, to }, live, events, signal);
  const changed = isProgram === undefined ? undefined : await live.writer.setProgram(to, isProgram, signal);
  if (changed) events.onChanged([changed]);
}

async function removeOne(
  { from: path = "", base, data }: TreeChange,
  { writer, readText, readBytes }: LiveFiles,
  { onChanged }: MergeEvents,
  signal: AbortSignal,
): Promise<void> {
  const isSame =
    data === undefined
      ? base !== undefined && isSameText(await readText(path), base)
      : sha256(await readBytes(path)) === data.base;
  if (!isSame) throw new Conflicting(`${path} was not deleted: it has changed since the subagent began.`);
  onChanged([await writer.remove(path, signal)]);
}

/** The file as a whole, by its bytes. */
async function putOne(
  { from, to, data: { base, now } }: TreeChange & { readonly to: string; readonly data: TreeData },
  { writer, readBytes }: LiveFiles,
  { onChanged }: MergeEvents,
  signal: AbortSignal,
): Promise<void> {
  if (!now) return;
  if (from !== undefined && from !== to) onChanged(await writer.move(from, to, signal));
  const bytes = await now.read();
  const there = await readBytes(to).catch(() => undefined);
  // Another subagent may have made the same change.
  if (there && Buffer.compare(there, bytes) === 0) return;
  onChanged([await writer.writeBytes(to, { base, bytes }, signal)]);
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
