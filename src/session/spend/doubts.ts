import type { Charged } from "../../api/money/charge.ts";
import type { Counted, CountedCurrency } from "../../shared/money/budgetRule.ts";
import { moneyText, spendText } from "../../shared/money/moneyText.ts";
import type { Connection } from "../connection/connection.ts";
import type { SpentEntry } from "./spendLines.ts";

/** What a service said of a call's price and can't be right, so that something else is counted. */
export interface Doubt {
  readonly kind: "cost" | "usage" | "credits";
  /** As the service said it, bounded; absent if it said nothing that can be read. */
  readonly said?: string;
}

/**
 * The doubt about a call whose price is unknown. `computed` is a price from a usage beyond any bound. A service that says
 * nothing of a call for which no money was reserved is not doubted: it may be free.
 */
export function doubtOf(
  { fact }: Charged,
  reserved: Counted | undefined,
  computed: SpentEntry["cost"],
): Doubt | undefined {
  if (computed) return { kind: "usage", said: spendText(computed) };
  if (fact.by === "credits") return fact.doubted ? { kind: "credits", said: fact.doubted } : undefined;
  if (fact.by !== "tokens") return undefined;
  if (fact.cost?.doubted) return { kind: "cost", said: fact.cost.doubted };
  return !fact.cost && !fact.usage && reserved?.sign === 1 ? { kind: "usage" } : undefined;
}

const subjects: Readonly<Record<Doubt["kind"], string>> = {
  cost: "a cost",
  usage: "a usage",
  credits: "credits or a cost",
};

/** What counts instead of a number that can't be right. */
interface Instead {
  readonly most: Counted | undefined;
  readonly unit: CountedCurrency | undefined;
}

/** Tells the user each kind of doubt about a connection once, until the window closes. */
export class Doubts {
  readonly #warn: (sentence: string) => void;
  readonly #told = new Set<string>();

  constructor(warn: (sentence: string) => void = () => {}) {
    this.#warn = warn;
  }

  teller(connection: Connection, instead: Instead): (doubt: Doubt) => void {
    return (doubt) => {
      const id = `${connection.id} ${doubt.kind}`;
      if (this.#told.has(id)) return;
      this.#told.add(id);
      this.#warn(doubtText(connection, doubt, instead));
    };
  }
}

/** A sentence: the service, the number, and what counts instead. */
function doubtText({ name }: Connection, { kind, said }: Doubt, { most, unit }: Instead): string {
  const stated =
    said === undefined
      ? `${name} stated no cost and no usage that can be right`
      : `${name} stated ${subjects[kind]} that can't be right (${said})`;
  const instead =
    most?.sign === 1
      ? `The most that the call may cost, ${moneyText(most.shownIn(unit))}, counts until the bill is read.`
      : "The price of the call is unknown until the bill is read.";
  return `${stated}. ${instead} This is said once.`;
}
