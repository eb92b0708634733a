import * as vscode from "vscode";
import type { Dialect } from "../../../api/dialect/dialect.ts";
import type { ModelPrivacy } from "../../../api/endpoints/account/keys.ts";
import { ask, choose } from "../../../platform/editor/dialogs/ask.ts";
import { askModally, warnModally } from "../../../platform/editor/dialogs/modal.ts";
import { explain } from "../../../platform/errors/errorMessage.ts";
import { dayMs, spanText } from "../../../shared/time/days.ts";
import { localZone, zonedText } from "../../../shared/time/zonedTime.ts";
import type { Account } from "../accountOf.ts";
import type { AccountTools } from "./addAdmin.ts";
import {
  creationPauseMs,
  descriptionProblem,
  emptyKeyDraft,
  expiryPresets,
  expiryProblem,
  expiryPrompt,
  type FormPeriod,
  hasLimit,
  type KeyDraft,
  limitProblem,
  maxKeys,
  pastProblem,
  periodTexts,
  privacyTexts,
  summaryOf,
  takesPrivacy,
  toNewKey,
  typedExpiryOf,
} from "./keyForm.ts";
import { showSecretOnce } from "./secret.ts";

const title = "Create API Key";
const created: number[] = [];

/** Context of a step besides the draft. */
interface Asking {
  readonly dialect: Dialect;
  readonly totalSteps: number;
}

type Step = (draft: KeyDraft, asking: Asking) => Promise<KeyDraft | "back" | undefined>;

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
  const draft = dialect && (await askAll(dialect));
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

async function askAll(dialect: Dialect): Promise<KeyDraft | undefined> {
  const usual = [askType, askName, askUsd, askDiem, askPeriod, askExpiry];
  const steps: readonly Step[] = takesPrivacy(dialect) ? [...usual, askPrivacy] : usual;
  const asking = { dialect, totalSteps: steps.length };
  let draft: KeyDraft = emptyKeyDraft;
  for (let step = 0; step < steps.length; ) {
    const answer = await steps[step]?.(draft, asking);
    if (answer === undefined) return undefined;
    if (answer !== "back") draft = answer;
    step += answer === "back" ? -1 : 1;
    // Without a limit there is no period.
    if (steps[step] === askPeriod && !hasLimit(draft)) step += answer === "back" ? -1 : 1;
  }
  return draft;
}

/** The draft with the answer applied. Back and cancel are passed on. */
function taken<Value>(
  answer: { readonly value: Value } | "back" | undefined,
  into: (value: Value) => KeyDraft,
): KeyDraft | "back" | undefined {
  return typeof answer === "object" ? into(answer.value) : answer;
}

async function askType(draft: KeyDraft, { totalSteps }: Asking) {
  const answer = await choose({
    title,
    step: 1,
    totalSteps,
    placeholder: "What may the key do?",
    active: draft.type,
    items: [
      {
        label: "$(key) Inference",
        detail: "Calls models. Can't read the bill or manage keys.",
        value: "INFERENCE" as const,
      },
      {
        label: "$(shield) Admin",
        detail: "Can do everything: call models, read the bill, create and revoke keys.",
        value: "ADMIN" as const,
      },
    ],
  });
  return taken(answer, (type) => ({ ...draft, type }));
}

async function askName(draft: KeyDraft, { dialect, totalSteps }: Asking) {
  const answer = await ask({
    title,
    step: 2,
    totalSteps,
    prompt: "Name of the key, as shown in lists and usage.",
    placeholder: "ci, my laptop …",
    value: draft.description,
    problem: (value) => descriptionProblem(dialect, value),
  });
  return taken(answer, (description) => ({ ...draft, description }));
}

function askLimit(member: "usd" | "diem", step: number, currency: string): Step {
  return async (draft, { totalSteps }) => {
    const answer = await ask({
      title,
      step,
      totalSteps,
      prompt: `Limit in ${currency}. Leave it empty for no limit.`,
      value: draft[member],
      problem: limitProblem,
    });
    return taken(answer, (limit) => ({ ...draft, [member]: limit }));
  };
}

const askUsd = askLimit("usd", 3, "USD");
const askDiem = askLimit("diem", 4, "DIEM");

async function askPeriod(draft: KeyDraft, { totalSteps }: Asking) {
  const answer = await choose<FormPeriod>({
    title,
    step: 5,
    totalSteps,
    placeholder: "Select the period of the limit",
    active: draft.period,
    items: periodTexts.map(({ period, label, detail }) => ({ label, detail, value: period })),
  });
  return taken(answer, (period) => ({ ...draft, period }));
}

async function askExpiry(draft: KeyDraft, asking: Asking): Promise<KeyDraft | "back" | undefined> {
  const { totalSteps } = asking;
  const nowMs = Date.now();
  const zone = localZone();
  const answer = await choose<number | "date" | undefined>({
    title,
    step: 6,
    totalSteps,
    placeholder: "When does the key expire?",
    items: [
      ...expiryPresets.map(({ label, days }) => ({
        label,
        value: days,
        ...(days === undefined ? {} : { description: zonedText(nowMs + days * dayMs, zone) }),
      })),
      { label: "On a day, at a time…", description: zone, value: "date" as const },
    ],
  });
  if (typeof answer !== "object") return answer;
  if (answer.value !== "date") {
    const expiresAtMs = answer.value === undefined ? undefined : nowMs + answer.value * dayMs;
    return { ...draft, expiresAtMs };
  }
  const date = await ask({
    title,
    step: 6,
    totalSteps,
    prompt: expiryPrompt(nowMs, zone),
    placeholder: "YYYY-MM-DD HH:MM",
    problem: (value) => expiryProblem(value, Date.now(), zone),
  });
  if (date === "back") return askExpiry(draft, asking);
  return date && { ...draft, expiresAtMs: typedExpiryOf(date.value, zone) };
}

async function askPrivacy(draft: KeyDraft, { totalSteps }: Asking) {
  const answer = await choose<ModelPrivacy>({
    title,
    step: totalSteps,
    totalSteps,
    placeholder: "Which models may the key call?",
    active: draft.privacy ?? "ALL",
    items: privacyTexts.map(({ privacy, label, detail }) => ({ label, detail, value: privacy })),
  });
  return taken(answer, (privacy) => ({ ...draft, privacy }));
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
