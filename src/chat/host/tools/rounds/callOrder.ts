import { SerialQueue } from "../../../../shared/serialQueue.ts";
import type { ChatTool } from "../tool.ts";

/** What a call does to the workspace: `acts` may read and change anything, as programs do. */
export type CallEffect = "reads" | "writes" | "acts";

/** A call among the calls of one reply. `open`: it has not begun, because it waits for the user or for its turn. */
export interface OrderedCall {
  readonly effect: CallEffect;
  readonly phase: "open" | "running" | "over";
}

/**
 * True if a call may begin now. A model writes its calls in the order that it means: an edit and then a test of it. So reads
 * run beside reads, and edits beside edits that have begun before them; everything else waits for what stands before it. A call
 * waits for earlier ones only, so the first that is not over may always begin.
 */
export function mayBegin(calls: readonly OrderedCall[], index: number): boolean {
  const call = calls[index];
  if (call?.phase !== "open") return false;
  return calls.slice(0, index).every(({ effect, phase }) => {
    if (phase === "over") return true;
    if (effect !== call.effect || effect === "acts") return false;
    // The second edit of a file may rely on the first.
    return effect === "reads" || phase === "running";
  });
}

export function effectOf({ kind, origin, readsFirst = false }: ChatTool): CallEffect {
  if (origin !== "built-in" || kind === "command" || readsFirst) return "acts";
  return kind === "edit" ? "writes" : "reads";
}

/** Billed calls run one after the other, so each is counted before the next one is admitted. */
export function createTurnTaking() {
  const queue = new SerialQueue();
  return <Value>({ price }: ChatTool, work: () => Promise<Value>): Promise<Value> =>
    price === undefined ? work() : queue.run(work);
}
