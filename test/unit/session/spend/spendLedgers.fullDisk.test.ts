// The ledger on a full disk, and after a crash in the middle of a line.
import assert from "node:assert/strict";
import { appendFileSync, readdirSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Counted } from "../../../../src/shared/money/budgetRule.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { connection, openWindow } from "../budgetWindow.ts";
import { hard, isRefused, serve } from "../spendGateKit.ts";

const none = { dayUsd: undefined, monthUsd: undefined, hardStop: false };

/** A disk that may be full, and a window that writes to it. */
function onDisk(disk: { isFull: boolean }) {
  const said: string[] = [];
  const journals = {
    onKept: () => said.push("kept"),
    onDamaged: (lines: number) => said.push(`damaged ${lines}`),
    async appendText(path: string, text: string) {
      // A part of a line still fits.
      await appendFile(path, disk.isFull ? text.slice(0, 30) : text);
      if (disk.isFull)
        throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    },
  };
  return { said, journals };
}

for (const budgets of [none, { ...hard(1), hardStop: false }])
  test(`calls on a full disk are counted and written later (${budgets.dayUsd ? "a budget" : "no budget"})`, async (t) => {
    const sandbox = await serve(t);
    const folder = temporaryFolder();
    const disk = { isFull: false };
    const { said, journals } = onDisk(disk);
    const window = openWindow({ ...sandbox, folder, budgets, journals });
    const search = () => window.api.augment.search({ query: "chat" });
    const today = async (of = window) => Counted.of((await of.spend.totals(connection)).today).digits();
    await search();
    disk.isFull = true;
    for (let index = 0; index < 3; index++) await search();
    assert.equal(await today(), "0.04", "in this window at once");
    assert.equal(said.filter((what) => what === "kept").length, 1);
    disk.isFull = false;
    await search();
    assert.equal(await today(), "0.05");
    const other = openWindow({ ...sandbox, folder, budgets });
    assert.equal(await today(other), "0.05", "in another window after that");
    const claims = await other.spend.taskSpend(connection, { id: "t", round: 1, capUsd: 1 });
    assert.equal(claims.claimed.sign, 0);
  });

test("with a hard stop or a cap nothing is sent on a full disk, and nothing stays reserved", async (t) => {
  const sandbox = await serve(t);
  const disk = { isFull: false };
  const { journals } = onDisk(disk);
  const window = openWindow({ ...sandbox, folder: temporaryFolder(), budgets: hard(0.02), journals });
  const search = () => window.api.augment.search({ query: "chat" });
  disk.isFull = true;
  for (let index = 0; index < 3; index++) await assert.rejects(search(), isRefused);
  disk.isFull = false;
  await search();
  await search();
  await assert.rejects(search(), isRefused);
});

test("a line that a crash cut off does not swallow the next charge", async (t) => {
  const sandbox = await serve(t);
  const folder = temporaryFolder();
  const search = async () => {
    const window = openWindow({ ...sandbox, folder, budgets: none });
    await window.api.augment.search({ query: "chat" });
    await window.spend.totals(connection);
  };
  await search();
  const [file = ""] = readdirSync(join(folder, connection.id));
  appendFileSync(join(folder, connection.id, file), '{"t":"spent","id":"torn","atM');
  await search();
  const { said, journals } = onDisk({ isFull: false });
  const { spend } = openWindow({ ...sandbox, folder, budgets: none, journals });
  assert.equal(Counted.of((await spend.totals(connection)).today).digits(), "0.02");
  assert.deepEqual(said, ["damaged 1"]);
});
