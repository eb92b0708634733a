import { dayOf } from "../../shared/time/days.ts";
import { Refusal } from "../refusal.ts";
import { addNano, type Nano, toNano } from "./ledger/decimal.ts";

/** The balances of the account. */
export interface Balances {
  readonly usd: Nano;
  /** The rest of today's allocation. */
  readonly diem: Nano;
}

/** The balance of all keys. DIEM is renewed each UTC day and spent before USD. */
export interface SharedBalance {
  readonly diemPerDay: Nano;
  balances(): Balances;
  /** Throws a 402 if both balances are empty. */
  check(): void;
  /** Charges an amount in one currency. Served requests are charged even if USD becomes negative. */
  pay(amount: Nano): "DIEM" | "USD";
}

export function createAccount(
  start: { usd: number; diemPerDay: number },
  now: () => number,
  spent: Balances = { usd: 0, diem: 0 },
): SharedBalance {
  const diemPerDay = toNano(start.diemPerDay);
  let usd = addNano(toNano(start.usd), -spent.usd);
  let today = { day: dayOf(now()), spent: spent.diem };
  const diemLeft = (): Nano => {
    const day = dayOf(now());
    if (day !== today.day) today = { day, spent: 0 };
    return diemPerDay - today.spent;
  };
  return {
    diemPerDay,
    balances: () => ({ usd, diem: diemLeft() }),
    check() {
      if (diemLeft() > 0 || usd > 0) return;
      throw new Refusal(402, "Insufficient USD or DIEM balance to complete the request");
    },
    pay(amount) {
      if (amount <= diemLeft()) {
        today.spent = addNano(today.spent, amount);
        return "DIEM";
      }
      usd = addNano(usd, -amount);
      return "USD";
    },
  };
}
