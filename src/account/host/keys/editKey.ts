import * as vscode from "vscode";
import type { Dialect } from "../../../api/dialect/dialect.ts";
import { ask, choose, pickedFrom } from "../../../platform/editor/dialogs/ask.ts";
import { explain } from "../../../platform/errors/errorMessage.ts";
import { typedAmount } from "../../../shared/money/typedAmount.ts";
import { localZone, toZonedInput, zonedText } from "../../../shared/time/zonedTime.ts";
import type { Account } from "../accountOf.ts";
import type { AccountTools } from "./addAdmin.ts";
import {
  descriptionProblem,
  expiryProblem,
  expiryPrompt,
  type FormPeriod,
  limitProblem,
  pastProblem,
  periodTexts,
  privacyTexts,
  takesPrivacy,
  typedExpiryOf,
  withOtherLimits,
} from "./keyForm.ts";
import { type KeyDetails, type LimitMember, toKeyDetails } from "./keyRow.ts";
import { askText } from "./keySteps.ts";

type Field = "description" | LimitMember | "period" | "expiry" | "privacy";
type Change = Parameters<Awaited<ReturnType<AccountTools["session"]["client"]>>["api"]["keys"]["update"]>[0];

interface Chosen {
  readonly id: string;
  readonly details: KeyDetails;
}

/** Changes one property of a key. The user must type its name before a change that may affect its access or spend. */
export async function updateKey(
  account: Account,
  keyId: string | undefined,
  tools: AccountTools,
): Promise<boolean> {
  const chosen = await pickKey(account, keyId, "Edit API Key");
  if (!chosen) return false;
  const { dialect } = await tools.session.clientOf(account.admin, { kind: "account" });
  const change = await askChange(chosen, dialect);
  if (!change) return false;
  // A name can be changed back. Other changes may affect access or spend.
  if (change.description === undefined && !(await isNameTyped(chosen, "Edit API Key", "change")))
    return false;
  // It may have passed while the name was typed.
  const past = change.expiresAt && pastProblem(Date.parse(change.expiresAt), Date.now(), localZone());
  if (past) {
    await vscode.window.showErrorMessage(`The key was not changed. ${past}`);
    return false;
  }
  return report(account, "changed", async () => {
    const { api } = await tools.session.clientOf(account.admin, { kind: "account" });
    const { consumptionLimit } = change;
    // Read again, because another program may have changed them.
    const limits = consumptionLimit && toKeyDetails((await api.keys.read({ id: chosen.id })).data).limits;
    const complete = limits ? { consumptionLimit: withOtherLimits(limits, consumptionLimit) } : {};
    await api.keys.update({ id: chosen.id, ...change, ...complete });
  });
}

/** Revokes a key permanently after the user typed its name. */
export async function revokeKey(
  account: Account,
  keyId: string | undefined,
  tools: AccountTools,
): Promise<boolean> {
  const chosen = await pickKey(account, keyId, "Revoke API Key");
  if (!chosen || !(await isNameTyped(chosen, "Revoke API Key", "revoke"))) return false;
  return report(account, "revoked", async () => {
    const { api } = await tools.session.clientOf(account.admin, { kind: "account" });
    await api.keys.revoke({ id: chosen.id });
  });
}

/** The key with this id, or one that the user picks, with its record as it is now. */
export async function pickKey(
  { data }: Account,
  keyId: string | undefined,
  title: string,
): Promise<Chosen | undefined> {
  const { value } = await data.keys.load();
  if (!value?.isListed) {
    await vscode.window.showInformationMessage(
      "This service doesn't support changing or revoking keys from here.",
    );
    return undefined;
  }
  const items = value.keys.map(({ id, description }) => ({ label: description, description: id, value: id }));
  const picked = keyId ?? (await choose({ title, placeholder: "Select a key", items }).then(pickedFrom));
  if (picked === undefined) return undefined;
  const details = (await data.key(picked).load()).value;
  return details && { id: picked, details };
}

const limitFields: readonly { readonly label: string; readonly value: LimitMember }[] = [
  { label: "Limit in USD", value: "usd" },
  { label: "Limit in DIEM", value: "diem" },
  { label: "Limit in VCU (deprecated)", value: "vcu" },
];

function askField(title: string, { details }: Chosen, dialect: Dialect): Promise<Field | undefined> {
  const { limits, period, privacy, expiresAtMs } = details;
  return choose<Field>({
    title,
    placeholder: "Select what to change",
    items: [
      { label: "Name", description: details.description, value: "description" },
      ...limitFields.flatMap(({ label, value }) => {
        const limit = limits[value];
        // No key needs a new limit in a deprecated currency.
        if (value === "vcu" && limit === undefined) return [];
        return { label, description: limit === undefined ? "none" : limit.digits(), value };
      }),
      {
        label: "Period of the limit",
        description: periodTexts.find((one) => one.period === period)?.label ?? period,
        value: "period",
      },
      {
        label: "Expiry",
        description: expiresAtMs === undefined ? "never" : zonedText(expiresAtMs, localZone()),
        value: "expiry",
      },
      ...(takesPrivacy(dialect)
        ? [
            {
              label: "Models that it may call",
              description: privacyTexts.find((one) => one.privacy === privacy)?.label ?? privacy ?? "unknown",
              value: "privacy" as const,
            },
          ]
        : []),
    ],
  }).then(pickedFrom);
}

async function askChange(chosen: Chosen, dialect: Dialect): Promise<EditedMembers | undefined> {
  const title = `Edit "${chosen.details.description}"`;
  const field = await askField(title, chosen, dialect);
  return field && questions[field](title, chosen.details, dialect);
}

type EditedMembers = Omit<Change, "id">;

/** Asks for the new value of a field. Undefined if the user cancels. */
type AskField = (title: string, details: KeyDetails, dialect: Dialect) => Promise<EditedMembers | undefined>;

const questions: Readonly<Record<Field, AskField>> = {
  async description(title, details, dialect) {
    const description = await askText(title, "New name.", details.description, (value) =>
      descriptionProblem(dialect, value),
    );
    return description === undefined ? undefined : { description };
  },
  usd: (title, details) => askLimit(title, "usd", details),
  diem: (title, details) => askLimit(title, "diem", details),
  vcu: (title, details) => askLimit(title, "vcu", details),
  async period(title) {
    const items = periodTexts.map(({ period: value, label, detail }) => ({ label, detail, value }));
    const placeholder = "Select the period of the limit";
    const limitPeriod = pickedFrom(await choose<FormPeriod>({ title, placeholder, items }));
    return limitPeriod && { limitPeriod };
  },
  async expiry(title, { expiresAtMs }) {
    const zone = localZone();
    // With its time, so that changing the day keeps it.
    const value = expiresAtMs === undefined ? "" : toZonedInput(expiresAtMs, zone);
    const prompt = `${expiryPrompt(Date.now(), zone)} Empty means never.`;
    const date = await askText(title, prompt, value, (typed) =>
      typed.trim() === "" ? undefined : expiryProblem(typed, Date.now(), zone),
    );
    if (date === undefined) return undefined;
    return { expiresAt: date === "" ? "" : new Date(typedExpiryOf(date, zone)).toISOString() };
  },
  async privacy(title) {
    const items = privacyTexts.map(({ privacy: value, label, detail }) => ({ label, detail, value }));
    const placeholder = "Which models may the key call?";
    const modelPrivacy = pickedFrom(await choose({ title, placeholder, items }));
    return modelPrivacy && { modelPrivacy };
  },
};

async function askLimit(
  title: string,
  field: LimitMember,
  { limits }: KeyDetails,
): Promise<EditedMembers | undefined> {
  const now = limits[field];
  const value = now === undefined ? "" : now.digits();
  const limit = await askText(title, "New limit; empty for none.", value, limitProblem);
  if (limit === undefined) return undefined;
  return { consumptionLimit: { [field]: limit === "" ? null : Number(typedAmount(limit)) } };
}

async function isNameTyped({ details, id }: Chosen, title: string, verb: string): Promise<boolean> {
  const name = details.description;
  const answer = await ask({
    title,
    prompt: `Type the key's name, ${name}, to ${verb} it (…${details.last6 ?? id}).`,
    placeholder: name,
    problem: () => undefined,
    prove: async (value) => (value.trim() === name ? undefined : `The name does not match "${name}".`),
  });
  return typeof answer === "object";
}

async function report({ admin }: Account, what: string, run: () => Promise<void>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    const { sentence } = explain(error, { service: admin.name, kind: admin.kind });
    await vscode.window.showErrorMessage(`The key was not ${what}. ${sentence}`);
    return false;
  }
}
