import type { Memento } from "vscode";
import { receiverOf } from "../../session/connection/baseUrl.ts";
import type { Connection } from "../../session/connection/connection.ts";

/** What may be sent to a service: to its free models, or to its paid ones, too. */
export type Consent = "free" | "paid";

/**
 * The user's consents to sending code while typing, in the state of all windows, where no setting of a workspace can
 * grant one. A consent counts for one receiver: that of the sandbox, or of a free model, is none for a live service that
 * sends a bill.
 */
export interface CompletionConsents {
  /** Undefined if nothing may be sent. */
  of(connection: Connection): Consent | undefined;
  give(connection: Connection, consent: Consent): Promise<void>;
}

const consentsKey = "completions.consents";

export function createCompletionConsents(state: Pick<Memento, "get" | "update">): CompletionConsents {
  const all = () => state.get<Readonly<Record<string, Consent>>>(consentsKey, {});
  return {
    of(connection) {
      const given = all();
      const receiver = receiverOf(connection);
      return Object.hasOwn(given, receiver) ? given[receiver] : undefined;
    },
    async give(connection, consent) {
      await state.update(consentsKey, { ...all(), [receiverOf(connection)]: consent });
    },
  };
}

/** True if this consent covers a model. Play money costs nothing. */
export function covers(
  consent: Consent | undefined,
  { inputUsd, outputUsd, isPlayMoney }: PricedModel,
): boolean {
  return (
    consent === "paid" || (consent === "free" && neededFor({ inputUsd, outputUsd, isPlayMoney }) === "free")
  );
}

interface PricedModel {
  readonly inputUsd?: number | undefined;
  readonly outputUsd?: number | undefined;
  readonly isPlayMoney?: boolean | undefined;
}

/** The consent that a model needs. A model without a listed price may cost something. */
export function neededFor({ inputUsd, outputUsd, isPlayMoney }: PricedModel): Consent {
  return isPlayMoney || (inputUsd === 0 && outputUsd === 0) ? "free" : "paid";
}
