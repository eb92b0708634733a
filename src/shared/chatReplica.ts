import { applyOp } from "./chatOps.ts";
import type { ToView } from "./chatProtocol.ts";
import type { ChatState } from "./chatState.ts";

/** A view's copy of the host's state, with its position in the sequence of messages. */
export interface Replica {
  /** Counts snapshots; -1 before the first. */
  readonly epoch: number;
  /** Counts the messages since that snapshot. */
  readonly seq: number;
  readonly state: ChatState | undefined;
}

export const emptyReplica: Replica = { epoch: -1, seq: 0, state: undefined };

/** `gap`: an earlier message is missing, so request a snapshot. `stale`: already applied, ignore it. */
export type ApplyResult = "applied" | "stale" | "gap";

/**
 * Applies one message of the host. The replica converges if messages are lost, duplicated or reordered, as long as a
 * snapshot follows a gap: a snapshot replaces the state, and an update applies once and in order.
 */
export function receive(
  replica: Replica,
  message: ToView,
): { readonly replica: Replica; readonly outcome: ApplyResult } {
  const { epoch, seq } = message;
  if (epoch < replica.epoch) return { replica, outcome: "stale" };
  if (message.type === "snapshot") {
    if (epoch === replica.epoch) return { replica, outcome: "stale" };
    return { replica: { epoch, seq, state: message.state }, outcome: "applied" };
  }
  if (epoch > replica.epoch || seq > replica.seq + 1) return { replica, outcome: "gap" };
  if (seq <= replica.seq) return { replica, outcome: "stale" };
  let { state } = replica;
  for (const op of message.ops) state = state && applyOp(state, op);
  return state ? { replica: { epoch, seq, state }, outcome: "applied" } : { replica, outcome: "gap" };
}
