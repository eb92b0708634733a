import * as vscode from "vscode";
import type { DialectChoice } from "../../api/dialect.ts";
import { type Answer, ask } from "../../platform/ask.ts";
import { explain } from "../../platform/errorMessage.ts";
import type { Keys } from "../../platform/keys.ts";
import { checkBaseUrl } from "../../session/baseUrl.ts";
import type { Connections } from "../../session/connections.ts";
import type { Candidate, Session } from "../../session/session.ts";

export interface SignInDeps {
  readonly connections: Connections;
  readonly keys: Keys;
  readonly session: Session;
}

const title = "Sign In to an Inference Service";
const totalSteps = 4;

interface Draft {
  baseUrl: string;
  dialect: DialectChoice;
  key: string;
  name: string;
}

/** Asks for address, dialect, key and name; proves the key at the service before anything is stored. */
export async function signIn(deps: SignInDeps): Promise<boolean> {
  const draft: Draft = { baseUrl: "", dialect: "auto", key: "", name: "" };
  const steps = [askBaseUrl, askDialect, askKey, askName];
  for (let step = 0; step < steps.length; ) {
    const answer = await steps[step]?.(draft, deps);
    if (answer === undefined) return false;
    step += answer === "back" ? -1 : 1;
  }
  await store(deps, draft);
  return true;
}

async function store({ connections, keys, session }: SignInDeps, draft: Draft): Promise<void> {
  const checked = checkBaseUrl(draft.baseUrl);
  if (!checked.ok) return;
  const id = crypto.randomUUID();
  const { name, dialect } = draft;
  // The key first: a connection without one would be shown as usable.
  await keys.write(id, checked.origin, draft.key);
  await connections.put({ id, name, kind: "live", baseUrl: checked.url, dialect });
  await connections.setActive(id);
  session.refresh();
}

async function askBaseUrl(draft: Draft): Promise<Answer> {
  const answer = await ask({
    title,
    step: 1,
    totalSteps,
    prompt: "Address of the service. The key you enter next is sent there and nowhere else.",
    placeholder: "https://api.example.com",
    value: draft.baseUrl,
    problem: baseUrlProblem,
  });
  if (isValue(answer)) draft.baseUrl = answer.value;
  return answer;
}

export function baseUrlProblem(value: string): string | undefined {
  const checked = checkBaseUrl(value);
  return checked.ok ? undefined : checked.problem;
}

interface DialectItem extends vscode.QuickPickItem {
  readonly dialect: DialectChoice;
}

const dialectItems: readonly DialectItem[] = [
  { label: "Auto", description: "recommended", detail: "Read it off the address.", dialect: "auto" },
  { label: "Standard", detail: "The service speaks its specification to the letter.", dialect: "standard" },
  { label: "Venice", detail: "The public service's own names for members and headers.", dialect: "venice" },
];

function askDialect(draft: Draft): Promise<Answer> {
  const pick = vscode.window.createQuickPick<DialectItem>();
  pick.title = title;
  pick.step = 2;
  pick.totalSteps = totalSteps;
  pick.placeholder = "Dialect of the service";
  pick.items = dialectItems;
  pick.activeItems = dialectItems.filter(({ dialect }) => dialect === draft.dialect);
  pick.buttons = [vscode.QuickInputButtons.Back];
  pick.ignoreFocusOut = true;
  return new Promise((resolve) => {
    const done = (answer: Answer) => {
      resolve(answer);
      pick.dispose();
    };
    pick.onDidTriggerButton(() => done("back"));
    pick.onDidHide(() => done(undefined));
    pick.onDidAccept(() => {
      draft.dialect = pick.activeItems[0]?.dialect ?? "auto";
      done({ value: draft.dialect });
    });
    pick.show();
  });
}

async function askKey(draft: Draft, { session }: SignInDeps): Promise<Answer> {
  const answer = await askForKey(session, title, draft.baseUrl, draft.dialect, { step: 3, totalSteps });
  if (isValue(answer)) draft.key = answer.value;
  return answer;
}

/** Asks for a key and proves it at the service; the answer's value is the key. */
export function askForKey(
  session: Session,
  boxTitle: string,
  baseUrl: string,
  dialect: DialectChoice,
  position: { readonly step?: number; readonly totalSteps?: number } = {},
): Promise<Answer> {
  return ask({
    title: boxTitle,
    ...position,
    prompt: `API key for ${new URL(baseUrl.trim()).host}. It is kept in the editor's secret storage.`,
    placeholder: "Paste the key",
    password: true,
    problem: (value) => (value.trim() === "" ? "Paste the key that the service gave you." : undefined),
    prove: (value, signal) =>
      proveKey(session, { baseUrl: baseUrl.trim(), dialect, key: value.trim() }, signal),
  }).then((answer) => (isValue(answer) ? { value: answer.value.trim() } : answer));
}

/** Undefined when the service takes the key; else the sentence that says why not. Rate limits check it, model lists don't. */
async function proveKey(
  session: Session,
  candidate: Candidate,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const { api } = await session.tryOut(candidate);
    await api.account.rateLimits({}, { signal });
    return undefined;
  } catch (error) {
    return explain(error, { service: new URL(candidate.baseUrl).host }).sentence;
  }
}

async function askName(draft: Draft, { connections }: SignInDeps): Promise<Answer> {
  const answer = await ask({
    title,
    step: 4,
    totalSteps,
    prompt: "Name of this connection, as the status bar shows it.",
    value: draft.name || new URL(draft.baseUrl.trim()).hostname,
    problem: (value) => nameProblem(connections, value),
  });
  if (isValue(answer)) draft.name = answer.value.trim();
  return answer;
}

/** Names are told apart by eye: no two alike, none empty, none too long for the status bar. */
export function nameProblem(connections: Connections, value: string, ownId?: string): string | undefined {
  const name = value.trim();
  if (name === "") return "Enter a name.";
  if (name.length > 60) return `A name has at most 60 characters; this one has ${name.length}.`;
  const taken = connections.all().some((other) => other.id !== ownId && other.name === name);
  return taken ? `There is a connection named "${name}" already.` : undefined;
}

export function isValue(answer: Answer): answer is { readonly value: string } {
  return typeof answer === "object";
}
