import * as vscode from "vscode";
import type { Dialect } from "../../../api/dialect/dialect.ts";
import { pickedFrom } from "../../../platform/editor/dialogs/ask.ts";
import { askModally, warnModally } from "../../../platform/editor/dialogs/modal.ts";
import { explain } from "../../../platform/errors/errorMessage.ts";
import { spanText } from "../../../shared/time/days.ts";
import { localZone } from "../../../shared/time/zonedTime.ts";
import type { Account } from "../accountOf.ts";
import type { AccountTools } from "./addAdmin.ts";
import { createKeys } from "./bulk/createKeys.ts";
import {
  creationPauseMs,
  emptyKeyDraft,
  type KeyDraft,
  maxKeys,
  pastProblem,
  summaryOf,
  takesPrivacy,
  toNewKey,
} from "./keyForm.ts";
import {
  askDiem,
  askExpiry,
  askName,
  askPeriod,
  askPrivacy,
  askSteps,
  askType,
  askUsd,
  type Step,
} from "./keySteps.ts";
import { showSecretOnce } from "./secret.ts";

const title = "Create API Key";
const created: number[] = [];

/** Asks for each property, shows a summary, creates the key, and shows its secret once. */
export async function createKey(account: Account, tools: AccountTools): Promise<boolean> {
  const pauseMs = creationPauseMs(created, Date.now());
  if (pauseMs > 0) {
    const text = `The service allows 20 new keys a minute. Create the next one in ${spanText(pauseMs)}.`;
    await vscode.window.showInformationMessage(text);
    return false;
  }
  if (!(await hasRoom(account))) return false;
  const dialect = await dialectOf(account, tools);
  if (!dialect) return false;
  const draft = await askAll(dialect);
  if (draft === "several") return createKeys(account, tools, dialect, created);
  if (!draft || !(await confirm(draft, account))) return false;
  const made = await create(draft, account, tools);
  if (!made) return false;
  await showSecretOnce({ secret: made.apiKey, name: draft.description.trim() }, account, tools);
  return true;
}

/** If the service lists keys, checks that the limit allows another one. The list may contain inactive keys. */
async function hasRoom({ data }: Account): Promise<boolean> {
  const { value } = await data.keys.load();
  if (!value?.isListed || value.keys.length < maxKeys) return true;
  const button = "Continue";
  const answer = await warnModally(
    `The service allows ${maxKeys} active keys, and this account has ${value.keys.length.toLocaleString("en-US")}.`,
    {
      detail: "The service will refuse another one unless some of them have expired. Revoke unused keys.",
    },
    button,
  );
  return answer === button;
}

/** The service's rules for keys; undefined if they can't be read, after an error message. */
async function dialectOf({ admin }: Account, { session }: AccountTools): Promise<Dialect | undefined> {
  try {
    return (await session.clientOf(admin, { kind: "account" })).dialect;
  } catch (error) {
    await vscode.window.showErrorMessage(explain(error, { service: admin.name, kind: admin.kind }).sentence);
    return undefined;
  }
}

/** The draft of one key, or "several" for many. */
async function askAll(dialect: Dialect): Promise<KeyDraft | "several" | undefined> {
  const usual = [askName, askUsd, askDiem, askPeriod, askExpiry];
  const steps: readonly Step<KeyDraft>[] = takesPrivacy(dialect) ? [...usual, askPrivacy] : usual;
  let draft: KeyDraft = emptyKeyDraft;
  for (;;) {
    const asking = { title, dialect, step: 1, totalSteps: steps.length + 1 };
    const type = pickedFrom(await askType(asking, draft.type));
    if (type === undefined || type === "several") return type;
    draft = { ...draft, type };
    const answer = await askSteps(draft, steps, { title, dialect, first: 2 });
    if (answer !== "back") return answer;
  }
}

async function confirm(draft: KeyDraft, { admin }: Account): Promise<boolean> {
  const button = "Create Key";
  const detail = summaryOf(draft, localZone());
  const answer = await askModally(`Create this key at ${admin.name}?`, { detail }, button);
  if (answer !== button || draft.type !== "ADMIN") return answer === button;
  const again = "Create ADMIN Key";
  const sure = await warnModally(
    `"${draft.description.trim()}" will have all permissions.`,
    {
      detail:
        "Anyone with an ADMIN key can create and revoke keys, read the bill and spend the whole balance. Create it?",
    },
    again,
  );
  return sure === again;
}

async function create(
  draft: KeyDraft,
  { connection, admin }: Account,
  { session, memory, log }: AccountTools,
) {
  // It may have passed while the summary was shown.
  const past = pastProblem(draft.expiresAtMs, Date.now(), localZone());
  if (past !== undefined) {
    await vscode.window.showErrorMessage(`No key was created. ${past}`);
    return undefined;
  }
  try {
    const { api } = await session.clientOf(admin, { kind: "account" });
    const { data } = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: "Creating the key" },
      () => api.keys.create(toNewKey(draft)),
    );
    created.push(Date.now());
    await memory.addCreated(connection.id, data.id);
    return data;
  } catch (error) {
    log.error("no key was created", error instanceof Error ? error : String(error));
    await vscode.window.showErrorMessage(explain(error, { service: admin.name, kind: admin.kind }).sentence);
    return undefined;
  }
}
