import { type Dialect, type DialectId, dialectOf, dialects } from "../../../api/dialect/dialect.ts";
import type { Session } from "../../../session/session.ts";
import { usdAmount, usdText } from "../../output/usdText.ts";

/** USD per credit: the lowest and highest price that a service documents (spec E3, billing rule 4). */
type UsdPerCredit = readonly [low: number, high: number];

type SessionEvents = Pick<Session, "active" | "onDidReceive" | "onDidChangeActive">;

/** Uses the dialect of the settings or the address, until a reply shows the real one. */
export class CreditPrice {
  readonly #session: SessionEvents;
  readonly #sandboxDialect: () => DialectId;
  /** By connection. */
  readonly #detected = new Map<string, Dialect>();
  readonly #subscriptions: readonly { dispose(): void }[];

  constructor(session: SessionEvents, sandboxDialect: () => DialectId) {
    this.#session = session;
    this.#sandboxDialect = sandboxDialect;
    this.#subscriptions = [
      session.onDidReceive(({ connection, event }) => {
        if (event.type === "dialect") this.#detected.set(connection.id, event.dialect);
      }),
      // The clients are replaced, and so are the dialects that they detected.
      session.onDidChangeActive(() => this.#detected.clear()),
    ];
  }

  /** True if the active connection is the sandbox, whose money is fictional. */
  get isPlayMoney(): boolean {
    return this.#session.active?.kind === "sandbox";
  }

  /** The price of the active service, from its dialect as far as known without a request. */
  now(): UsdPerCredit {
    const { active } = this.#session;
    const shown = this.#detected.get(active?.id ?? "");
    if (shown) return shown.usdPerCredit;
    if (active?.kind === "sandbox") return dialects[this.#sandboxDialect()].usdPerCredit;
    return dialectOf(active?.dialect ?? "auto", active?.baseUrl ?? "").usdPerCredit;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
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
