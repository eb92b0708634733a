import { type Dialect, type DialectId, dialectOf, dialects } from "../../../api/dialect/dialect.ts";
import type { Session } from "../../../session/session.ts";
import { type PriceUnit, priceOf } from "../../output/usdText.ts";

/** USD per credit: the lowest and highest price that a service documents (spec E3, billing rule 4). */
type UsdPerCredit = readonly [low: number, high: number];

type SessionEvents = Pick<Session, "active" | "onDidReceive" | "onDidChangeActive" | "onDidSpend">;

/** Uses the dialect of the settings or the address, until a reply shows the real one. */
export class CreditPrice {
  readonly #session: SessionEvents;
  readonly #sandboxDialect: () => DialectId;
  /** By connection. */
  readonly #detected = new Map<string, Dialect>();
  /** The connections whose calls are paid in DIEM. */
  readonly #paidInDiem = new Set<string>();
  readonly #subscriptions: readonly { dispose(): void }[];

  constructor(session: SessionEvents, sandboxDialect: () => DialectId) {
    this.#session = session;
    this.#sandboxDialect = sandboxDialect;
    this.#subscriptions = [
      session.onDidReceive(({ connection, event }) => {
        if (event.type === "dialect") this.#detected.set(connection.id, event.dialect);
      }),
      session.onDidSpend(({ connection, totals }) => this.takePaidIn(connection.id, totals.paidIn)),
      // The clients are replaced, and so are the dialects that they detected.
      session.onDidChangeActive(() => this.#detected.clear()),
    ];
  }

  /** The money that pays the calls of the active connection: that of the sandbox is fictional. */
  get unit(): PriceUnit {
    const { active } = this.#session;
    const isDiem = active !== undefined && this.#paidInDiem.has(active.id);
    return { isPlayMoney: active?.kind === "sandbox", isDiem };
  }

  /** The currency in which a service says that the calls of a connection are paid; undefined if it does not. */
  takePaidIn(connectionId: string, paidIn: string | undefined): void {
    if (paidIn === "DIEM") this.#paidInDiem.add(connectionId);
    else this.#paidInDiem.delete(connectionId);
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
export function priceRange(credits: number, [low, high]: UsdPerCredit, unit: PriceUnit = {}): string {
  const { isDiem } = unit;
  const [from, most] = [priceOf(credits * low, { isDiem }), priceOf(credits * high, { isDiem })];
  const to = priceOf(credits * high, unit);
  return from === most ? `≈ ${to}` : `≈ ${from.replace(" DIEM", "")} to ${to}`;
}

/** The upper limit of the price of credits. */
export function mostPrice(credits: number, [, high]: UsdPerCredit, unit: PriceUnit = {}): string {
  return priceOf(credits * high, unit);
}
