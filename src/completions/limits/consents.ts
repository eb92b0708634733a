import { receiverOf } from "../../session/connection/baseUrl.ts";
import type { Connection } from "../../session/connection/connection.ts";
import type { Consents } from "../../session/consent/consents.ts";
import { completionConsent } from "../../session/consent/lastingConsents.ts";

/** What may be sent to a service: to its free models, or to its paid ones, too. */
export type Consent = "free" | "paid";

/**
 * The user's consents to sending code while typing. A consent counts for one receiver: that of the sandbox, or of a free
 * model, is none for a live service that sends a bill.
 */
export interface CompletionConsents {
  /** Undefined if nothing may be sent. */
  of(connection: Connection): Consent | undefined;
  give(connection: Connection, consent: Consent): Promise<void>;
  onDidChange: Consents["onDidChange"];
}

const levels: readonly Consent[] = ["paid", "free"];

export function createCompletionConsents(consents: Consents): CompletionConsents {
  return {
    of(connection) {
      const receiver = receiverOf(connection);
      return levels.find((level) => consents.use(completionConsent(receiver, level)) !== undefined);
    },
    async give(connection, consent) {
      const receiver = receiverOf(connection);
      // The new consent replaces the other one: who chooses a free model takes back what was said for a paid one.
      await consents.revoke(consents.of("completions", receiver));
      await consents.give(completionConsent(receiver, consent));
    },
    onDidChange: (listener) => consents.onDidChange(listener),
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
