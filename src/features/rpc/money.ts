import { type Dialect, type DialectId, dialectOf, dialects } from "../../api/dialect.ts";
import type { Session } from "../../session/session.ts";
import { usdAmount, usdText } from "../../shared/rpc/usdText.ts";

/** USD per credit, lowest and highest figure that a service states (spec E3, billing rule 4). */
type UsdPerCredit = readonly [low: number, high: number];

type Known = Pick<Session, "active" | "onDidReceive" | "onDidChangeActive">;

export interface CreditPrice {
  /** Of the service that answers now, as far as its dialect is known without asking it. */
  now(): UsdPerCredit;
  /** Whether the sandbox answers now, whose money is made up. */
  readonly isPlayMoney: boolean;
  dispose(): void;
}

/** Goes by the dialect that was chosen or is read off the address, until an answer shows another one. */
export function createCreditPrice(session: Known, sandboxDialect: () => DialectId): CreditPrice {
  const learnt = new Map<string, Dialect>();
  const subscriptions = [
    session.onDidReceive(({ connection, event }) => {
      if (event.type === "dialect") learnt.set(connection.id, event.dialect);
    }),
    // The clients go with it, and what they learnt.
    session.onDidChangeActive(() => learnt.clear()),
  ];
  return {
    get isPlayMoney() {
      return session.active?.kind === "sandbox";
    },
    now() {
      const { active } = session;
      const shown = learnt.get(active?.id ?? "");
      if (shown) return shown.usdPerCredit;
      if (active?.kind === "sandbox") return dialects[sandboxDialect()].usdPerCredit;
      return dialectOf(active?.dialect ?? "auto", active?.baseUrl ?? "").usdPerCredit;
    },
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

/** About what credits come to before the headers have said it. */
export function usdRange(credits: number, [low, high]: UsdPerCredit, isPlayMoney = false): string {
  const [from, to] = [usdText(credits * low), usdAmount(credits * high, isPlayMoney)];
  return to.startsWith(`${from} `) ? `≈ ${to}` : `≈ ${from} to ${to}`;
}

/** The larger of the two. */
export function usdMost(credits: number, [, high]: UsdPerCredit, isPlayMoney = false): string {
  return usdAmount(credits * high, isPlayMoney);
}
