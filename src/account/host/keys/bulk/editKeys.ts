import * as vscode from "vscode";
import type { Dialect } from "../../../../api/dialect/dialect.ts";
import { isApiError } from "../../../../api/errors/errors.ts";
import { ask, choose, pickedFrom } from "../../../../platform/editor/dialogs/ask.ts";
import { askModally, warnModally } from "../../../../platform/editor/dialogs/modal.ts";
import { explain } from "../../../../platform/errors/errorMessage.ts";
import { typedAmount } from "../../../../shared/money/typedAmount.ts";
import { localZone, zonedText } from "../../../../shared/time/zonedTime.ts";
import type { Account } from "../../accountOf.ts";
import type { AccountTools } from "../addAdmin.ts";
import {
  descriptionProblem,
  expiryProblem,
  expiryPrompt,
  type FormPeriod,
  limitProblem,
  periodTexts,
  typedExpiryOf,
  withOtherLimits,
} from "../keyForm.ts";
import { buttonOf, countOfKeys, namedKey } from "../keyOwner.ts";
import { type KeyRow, toKeyDetails } from "../keyRow.ts";
import { askText } from "../keySteps.ts";
import { listed } from "./bulkReport.ts";
import { BulkRun } from "./bulkRun.ts";
import { type BulkChange, type PlannedEdit, planEdits } from "./editPlan.ts";
import { runBulk } from "./runBulk.ts";

/** The listed keys with these ids; undefined after a message, if the service does not list keys. */
async function rowsOf({ data }: Account, ids: readonly string[]): Promise<readonly KeyRow[] | undefined> {
  const { value } = await data.keys.load();
  if (!value?.isListed) {
    await vscode.window.showInformationMessage(
      "This service doesn't support changing or revoking keys from here.",
    );
    return undefined;
  }
  const wanted = new Set(ids);
  return value.keys.filter(({ id }) => wanted.has(id));
}

/** Makes one change to many keys, after it said which. */
export async function editKeys(
  account: Account,
  ids: readonly string[],
  tools: AccountTools,
): Promise<boolean> {
  const rows = await rowsOf(account, ids);
  if (!rows || rows.length === 0) return false;
  const { admin } = account;
  const { api, dialect } = await tools.session.clientOf(admin, { kind: "account" });
  const asked = await askChange(`Edit ${countOfKeys(rows.length)}`, rows, dialect);
  if (!asked) return false;
  const { edits, skipped } = planEdits(rows, asked.change, { dialect, nowMs: Date.now() });
  const left =
    skipped.length === 0
      ? ""
      : `\n\nLeft as they are:\n${listed(skipped.map(([name, why]) => `${name}: ${why}`))}`;
  const detail = `${asked.text}\n\n${listed(edits.map(({ name }) => name))}${left}`;
  if (edits.length === 0) {
    await warnModally("No key would change.", { detail });
    return false;
  }
  const button = buttonOf("Change", edits.length);
  const question = `Change ${countOfKeys(edits.length)} at ${admin.name}?`;
  if ((await askModally(question, { detail }, button)) !== button) return false;
  const run = new BulkRun(edits, {
    nameOf: ({ name }: PlannedEdit) => name,
    isRepeatable: true,
    async act({ id, change }, signal) {
      const { consumptionLimit } = change;
      // Read again, because another program may have changed them.
      const limits = consumptionLimit && toKeyDetails((await api.keys.read({ id }, { signal })).data).limits;
      const complete = limits ? { consumptionLimit: withOtherLimits(limits, consumptionLimit) } : {};
      await api.keys.update({ id, ...change, ...complete }, { signal });
    },
    reasonOf: (error) => explain(error, { service: admin.name, kind: admin.kind }).sentence,
  });
  await runBulk(run, { title: "Changing keys", done: "changed" });
  return run.done.length + run.failed.length > 0;
}

/** Revokes many keys, after it said which and their number was typed. */
export async function revokeKeys(
  account: Account,
  ids: readonly string[],
  tools: AccountTools,
): Promise<boolean> {
  const rows = await rowsOf(account, ids);
  if (!rows || rows.length === 0) return false;
  const { admin } = account;
  const count = countOfKeys(rows.length);
  const button = buttonOf("Revoke", rows.length);
  const detail = `What uses them stops working at once. They can't be restored.\n\n${listed(rows.map(namedKey))}`;
  if ((await warnModally(`Revoke ${count} at ${admin.name}?`, { detail }, button)) !== button) return false;
  const typed = await ask({
    title: button,
    prompt: `Type ${rows.length} to revoke ${count} for good.`,
    problem: () => undefined,
    prove: async (value) =>
      value.trim() === String(rows.length) ? undefined : `Type the number of keys, ${rows.length}.`,
  });
  if (typeof typed !== "object") return false;
  const { api } = await tools.session.clientOf(admin, { kind: "account" });
  const run = new BulkRun(rows, {
    nameOf: namedKey,
    isRepeatable: true,
    act: ({ id }: KeyRow, signal) => unlessGone(api.keys.revoke({ id }, { signal })),
    reasonOf: (error) => explain(error, { service: admin.name, kind: admin.kind }).sentence,
  });
  await runBulk(run, { title: "Revoking keys", done: "revoked" });
  return run.done.length + run.failed.length > 0;
}

/** A key that the service no longer has is revoked, by an attempt whose answer was lost or by someone else. */
async function unlessGone(revoking: Promise<unknown>): Promise<void> {
  try {
    await revoking;
  } catch (error) {
    if (!isApiError(error) || error.kind !== "not-found") throw error;
  }
}

interface AskedChange {
  readonly change: BulkChange;
  /** In words. */
  readonly text: string;
}

async function askChange(
  title: string,
  rows: readonly KeyRow[],
  dialect: Dialect,
): Promise<AskedChange | undefined> {
  const items: readonly {
    readonly label: string;
    readonly detail: string;
    readonly value: BulkChange["of"];
  }[] = [
    { label: "Extend", detail: "Each expires so many days later than now.", value: "extension" },
    { label: "Expiry", detail: "All expire at the same time, or never.", value: "expiry" },
    { label: "Limit in USD", detail: "Other limits stay.", value: "usd" },
    { label: "Limit in DIEM", detail: "Other limits stay.", value: "diem" },
    { label: "Period of the limit", detail: "Day, month or lifetime.", value: "period" },
    { label: "Owner", detail: "The part of the name after “ · ”.", value: "owner" },
    { label: "Prefix of the name", detail: "A text before each name.", value: "prefix" },
  ];
  const placeholder = `Select what to change in ${countOfKeys(rows.length)}`;
  const field = pickedFrom(await choose<BulkChange["of"]>({ title, placeholder, items }));
  return field && questions[field](title, rows, dialect);
}

type AskChange = (
  title: string,
  rows: readonly KeyRow[],
  dialect: Dialect,
) => Promise<AskedChange | undefined>;

const questions: Readonly<Record<BulkChange["of"], AskChange>> = {
  usd: (title) => askLimit(title, "usd", "USD"),
  diem: (title) => askLimit(title, "diem", "DIEM"),
  async period(title) {
    const items = periodTexts.map(({ period: value, label, detail }) => ({ label, detail, value }));
    const placeholder = "Select the period of the limit";
    const period = pickedFrom(await choose<FormPeriod>({ title, placeholder, items }));
    return period && { change: { of: "period", period }, text: `New period of the limit: ${period}.` };
  },
  async extension(title) {
    const typed = await askText(title, "Days that each key is valid longer.", "30", daysProblem);
    if (typed === undefined) return undefined;
    const text = `Each expires ${typed} days later than now; one that has expired, ${typed} days from now.`;
    return { change: { of: "extension", days: Number(typed) }, text };
  },
  async expiry(title) {
    const zone = localZone();
    const prompt = `${expiryPrompt(Date.now(), zone)} Empty means never.`;
    const typed = await askText(title, prompt, "", (value) =>
      value.trim() === "" ? undefined : expiryProblem(value, Date.now(), zone),
    );
    if (typed === undefined) return undefined;
    const expiresAtMs = typed === "" ? undefined : typedExpiryOf(typed, zone);
    const text = `New expiry: ${expiresAtMs === undefined ? "never" : zonedText(expiresAtMs, zone)}.`;
    return { change: { of: "expiry", expiresAtMs }, text };
  },
  async owner(title) {
    const owner = await askText(title, "Owner of the keys; empty for none.", "", () => undefined);
    if (owner === undefined) return undefined;
    return { change: { of: "owner", owner }, text: `New owner: ${owner || "none"}.` };
  },
  async prefix(title, _, dialect) {
    const prefix = await askText(title, "Text before each name.", "", (value) =>
      descriptionProblem(dialect, value),
    );
    return prefix === undefined
      ? undefined
      : { change: { of: "prefix", prefix: `${prefix} ` }, text: `Each name begins with “${prefix} ”.` };
  },
};

async function askLimit(
  title: string,
  of: "usd" | "diem",
  currency: string,
): Promise<AskedChange | undefined> {
  const typed = await askText(title, `New limit in ${currency}; empty for none.`, "", limitProblem);
  if (typed === undefined) return undefined;
  const amount = typedAmount(typed);
  const limit = amount === undefined ? null : Number(amount);
  return { change: { of, limit }, text: `New limit in ${currency}: ${amount ?? "none"}.` };
}

function daysProblem(text: string): string | undefined {
  const days = Number(text.trim());
  return /^\d+$/.test(text.trim()) && days >= 1 && days <= 3650
    ? undefined
    : "Enter a number of days from 1 to 3650.";
}
