// A bill that pays back more than a call cost makes no room in a budget of a part of the calls.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSpendBook } from "../../../../../src/session/spend/spendBook.ts";
import { lineOfEntry } from "../../../../../src/session/spend/spendLines.ts";
import { amountIn, nothing } from "../../../../../src/shared/money/amounts.ts";
import { Counted } from "../../../../../src/shared/money/budgetRule.ts";
import { dayOf } from "../../../../../src/shared/time/days.ts";

const nowMs = Date.parse("2026-11-10T12:00:00Z");
const call = (id: string) =>
  lineOfEntry({
    id,
    atMs: nowMs,
    endpoint: "chat.stream",
    requestId: id,
    source: { kind: "chat" },
    cost: amountIn("USD", "1"),
  });
const spentAfter = (paid: string) => {
  const book = createSpendBook();
  for (const id of ["a", "b"]) book.take(call(id));
  const record = {
    atMs: nowMs,
    requestId: "a",
    worth: Counted.zero,
    paid: () => amountIn("USD", paid),
  };
  const bill = { asOfMs: nowMs + 1, days: new Map([[dayOf(nowMs), nothing]]), records: [record] };
  for (const line of book.linesOfBill(bill)) book.take(line);
  return book.scope({ client: "chat" }, nowMs).today.spent.toTexts();
};

test("a call that the bill pays back costs nothing, and not less: the others count all the same", () => {
  assert.deepEqual(spentAfter("0.5"), { USD: "1.5" });
  assert.deepEqual(spentAfter("-30"), { USD: "1" });
});
