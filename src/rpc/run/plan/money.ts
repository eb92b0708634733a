import { type Dialect, type DialectId, dialectOf, dialects } from "../../../api/dialect/dialect.ts";
import type { Session } from "../../../session/session.ts";
import { usdAmount, usdText } from "../../output/usdText.ts";

/** USD per credit: the lowest and highest price that a service documents (spec E3, billing rule 4). */
type UsdPerCredit = readonly [low: number, high: number];

type SessionEvents = Pick<Session, "active" | "onDidReceive" | "onDidChangeActive">;

export interface CreditPrice {
  /** The price of the active service, from its dialect as far as known without a request. */
  now(): UsdPerCredit;
  /** True if the active connection is the sandbox, whose money is fictional. */
  readonly isPlayMoney: boolean;
  dispose(): void;
}

/** Uses the dialect of the settings or the address, until a reply shows the real one. */
export function createCreditPrice(session: SessionEvents, sandboxDialect: () => DialectId): CreditPrice {
  const detected = new Map<string, Dialect>();
  const subscriptions = [
    session.onDidReceive(({ connection, event }) => {
      if (event.type === "dialect") detected.set(connection.id, event.dialect);
    }),
    // The clients are replaced, and so are the dialects that they detected.
    session.onDidChangeActive(() => detected.clear()),
  ];
  return {
    get isPlayMoney() {
      return session.active?.kind === "sandbox";
    },
    now() {
      const { active } = session;
      const shown = detected.get(active?.id ?? "");
      if (shown) return shown.usdPerCredit;
      if (active?.kind === "sandbox") return dialects[sandboxDialect()].usdPerCredit;
      return dialectOf(active?.dialect ?? "auto", active?.baseUrl ?? "").usdPerCredit;
    },
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

/** The approximate price of credits, before the headers of a reply state it. */
export function usdRange(credits: number, [low, high]: UsdPerCredit, isPlayMoney = false): string {
  const [from, to] = [usdText(credits * low), usdAmount(credits * high, isPlayMoney)];
  return to.startsWith(`${from} `) ? `≈ ${to}` : `≈ ${from} to ${to}`;
}

/** The upper limit of the price of credits. */
export function usdMost(credits: number, [, high]: UsdPerCredit, isPlayMoney = false): string {
  return usdAmount(credits * high, isPlayMoney);
}
