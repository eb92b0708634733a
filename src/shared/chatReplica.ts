import { applyOp } from "./chatOps.ts";
import type { ToView } from "./chatProtocol.ts";
import type { ChatState } from "./chatState.ts";

/** A view's copy of the host's state, and how far it has come. */
export interface Replica {
  /** Counts snapshots; -1 before the first. */
  readonly epoch: number;
  /** Counts the messages since that snapshot. */
  readonly seq: number;
  readonly state: ChatState | undefined;
}

export const emptyReplica: Replica = { epoch: -1, seq: 0, state: undefined };

/** `gap`: something before this message is missing, so ask for a snapshot. `stale`: already known, ignore it. */
export type ApplyResult = "applied" | "stale" | "gap";

/**
 * The replica after one message of the host. Converges whatever is lost, doubled or reordered on the way, as long as a
 * snapshot follows a gap: a snapshot replaces all, an update applies exactly once and in its turn.
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
