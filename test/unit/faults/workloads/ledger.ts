// The ledger of paid calls, with reservations, prices and a bill; the sandbox's journal of its keys and bill.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Budgets } from "../../../../src/platform/settings.ts";
import { openSandboxJournal } from "../../../../src/session/sandbox/sandboxJournal.ts";
import { Counted } from "../../../../src/shared/money/budgetRule.ts";
import { connection, openWindow } from "../../session/budgetWindow.ts";
import { hard, noService, search } from "../../session/spendGateKit.ts";
import type { Folders, Teller, Told, Workload } from "../workload.ts";

const priceUsd = 0.01;

function openLedger({ storage }: Folders, budgets: Budgets, onKept = () => {}) {
  const folder = join(storage, "spend");
  return openWindow({ ...noService, folder, budgets, models: [], journals: { onKept } });
}

const journalOf = ({ storage }: Folders) => join(storage, "sandbox", "standard.jsonl");

/** A call is sent once it is admitted, and costs money from then on. */
async function callService(window: ReturnType<typeof openWindow>, name: string, told: Teller): Promise<void> {
  const { gate, spend, prices } = window;
  const hold = await gate.admit(connection, search, prices, undefined).catch(() => "refused");
  if (hold === "refused") return;
  told.begun(name);
  told.kept(`sent ${name}`);
  const about = { endpoint: "augment.search", ...(hold === undefined ? {} : { hold }) };
  spend.record(connection, { type: "charged", fact: { by: "request", usd: priceUsd }, ...about }, prices);
  await spend.totals(connection);
  told.kept(`charged ${name}`);
}

export const workload: Workload = {
  writers: ["src/platform/files/durable/journal.ts"],
  queued: ["src/session/spend/spendLedgers.ts", "src/session/sandbox/sandboxJournal.ts"],
  async run(folders, told) {
    const say = () => told.said("the ledger is kept");
    const [guarded, open] = [
      openLedger(folders, hard(1), say),
      openLedger(folders, { ...hard(1), hardStop: false }, say),
    ];
    const journal = await openSandboxJournal(journalOf(folders), () => told.said("the journal is kept"));
    for (const name of ["a", "b", "c"]) {
      await callService(guarded, name, told);
      await callService(open, `${name} without a stop`, told);
      journal.append([JSON.stringify({ name })]);
    }
    await told.space();
    await callService(guarded, "last", told);
    await callService(open, "last without a stop", told);
    journal.append([JSON.stringify({ name: "last" })]);
    await open.spend.totals(connection);
  },
  async check(folders, told) {
    const { spend } = openLedger(folders, hard(1));
    const totals = await spend.totals(connection);
    const counted = Counted.of(totals.today);
    const priceOf = (calls: number) => Counted.parse(priceUsd).scaled(calls);
    const of = (word: string) => told.kept.filter((what) => what.startsWith(word)).length;
    assert.ok(!priceOf(of("charged")).exceeds(counted), `${of("charged")} calls were charged`);
    assert.ok(!counted.exceeds(priceOf(told.begun.length + (told.hasEnded ? 0 : 1))));
    await countsClaims(folders, told, of("sent"));
    const { lines } = await openSandboxJournal(journalOf(folders), () => {});
    const names = lines.map((line) => (JSON.parse(line) as { name: string }).name);
    assert.deepEqual(names, ["a", "b", "c", "last"].slice(0, names.length));
    if (told.hasEnded) assert.ok(names.includes("c"));
    if (told.isFull)
      assert.ok(told.said.filter((what) => what === "the ledger is kept").length <= 2, "said once by each");
  },
};

/** What was sent is in the sum, or still claims its price, so a budget of that many calls admits no other. */
async function countsClaims(folders: Folders, told: Told, sent: number): Promise<void> {
  const most = Math.max(1, sent);
  const window = openLedger(folders, hard(Number((most * priceUsd).toFixed(2))));
  const other = await window.gate.admit(connection, search, window.prices, undefined).catch(() => "refused");
  if (sent > 0 && !told.isFull)
    assert.equal(other, "refused", "a call that was sent is neither counted nor claimed");
}
