import * as vscode from "vscode";
import { apiRoot } from "../api/call/client.ts";
import { type DialectChoice, knownServices } from "../api/dialect/dialect.ts";
import { type ApiError, isApiError } from "../api/errors/errors.ts";
import { table } from "../api/table.ts";
import { ask, choose, type StepResult } from "../platform/editor/dialogs/ask.ts";
import { explain } from "../platform/errors/errorMessage.ts";
import type { Keys } from "../platform/keys.ts";
import { checkBaseUrl } from "../session/connection/baseUrl.ts";
import type { Connection } from "../session/connection/connection.ts";
import { type Connections, sandboxConnection } from "../session/connection/connections.ts";
import { isSandboxKey, sandboxKeyWords } from "../session/connection/sandboxKeys.ts";
import type { Candidate, Session } from "../session/session.ts";
import { visibleLine } from "../shared/text/html/visibleText.ts";

export interface SignInDeps {
  readonly connections: Connections;
  readonly keys: Keys;
  readonly session: Session;
}

interface Draft {
  /** Title of all boxes. */
  readonly title: string;
  /** One of the known services, or `other` for a typed address. */
  service: string;
  baseUrl: string;
  dialect: DialectChoice;
  key: string;
  name: string;
}

type Step = (draft: Draft, deps: SignInDeps, position: Position) => Promise<StepResult>;
interface Position {
  readonly step: number;
  readonly totalSteps: number;
}

/** Asks for service, key and name. Verifies the key before anything is stored. */
export async function signIn(deps: SignInDeps): Promise<boolean> {
  const draft = newDraft("Sign In to an Inference Service");
  if (!(await askSteps(draft, deps, [askKey, askName]))) return false;
  await store(deps, draft);
  return true;
}

/** Asks for a service that needs no key. Undefined if the user leaves. Nothing is stored. */
export async function askNewService(deps: SignInDeps, title: string): Promise<Connection | undefined> {
  const draft = newDraft(title);
  if (!(await askSteps(draft, deps, [askName]))) return undefined;
  const checked = checkBaseUrl(draft.baseUrl);
  const { name, dialect } = draft;
  return checked.ok
    ? { id: crypto.randomUUID(), name, kind: "live", baseUrl: checked.url, dialect }
    : undefined;
}

function newDraft(title: string): Draft {
  return { title, service: "", baseUrl: "", dialect: "auto", key: "", name: "" };
}

/** Asks for the service, then the others. False if the user leaves. */
async function askSteps(draft: Draft, deps: SignInDeps, others: readonly Step[]): Promise<boolean> {
  const stepsOf = ({ service, baseUrl, key }: Draft): readonly Step[] => {
    // The sandbox has its name.
    const asked = isSandboxKey(baseUrl, key) ? others.filter((step) => step !== askName) : others;
    return service === other ? [askService, askBaseUrl, ...asked] : [askService, ...asked];
  };
  for (let at = 0; at < stepsOf(draft).length; ) {
    const steps = stepsOf(draft);
    const answer = await steps[at]?.(draft, deps, { step: at + 1, totalSteps: steps.length });
    if (answer === undefined) return false;
    at += answer === "back" ? -1 : 1;
  }
  return true;
}

const other = "other";
const advanced = "advanced";

/** The known services, then any other by its address. */
async function askService(draft: Draft, _: SignInDeps, position: Position): Promise<StepResult> {
  for (;;) {
    const dialect = dialectItems.find(({ value }) => value === draft.dialect)?.label;
    const answer = await choose({
      title: draft.title,
      ...position,
      placeholder: "Select a service",
      active: draft.service,
      items: [
        ...knownServices.map(({ name, baseUrl }) => ({ label: name, detail: baseUrl, value: baseUrl })),
        { label: "Other…", detail: "Enter the address of the service.", value: other },
        { label: "Advanced: Dialect…", description: dialect ?? "", value: advanced },
      ],
    });
    if (!isValue(answer)) return answer;
    if (answer.value === advanced) {
      const picked = await askDialect(draft);
      if (picked === undefined) return undefined;
      continue;
    }
    if (answer.value !== draft.service) draft.name = "";
    draft.service = answer.value;
    if (answer.value !== other) draft.baseUrl = answer.value;
    return answer;
  }
}

async function store({ connections, keys, session }: SignInDeps, draft: Draft): Promise<void> {
  const checked = checkBaseUrl(draft.baseUrl);
  if (!checked.ok) return;
  if (isSandboxKey(checked.url, draft.key)) return useSandboxInstead({ connections, session });
  const id = crypto.randomUUID();
  const { name, dialect } = draft;
  // The key is stored first: a connection without one would look usable.
  await keys.write(id, checked.origin, draft.key);
  await connections.put({ id, name, kind: "live", baseUrl: checked.url, dialect });
  await connections.setActive(id);
  session.refresh();
}

/** A key of a sandbox was entered: the sandbox itself is used. */
export async function useSandboxInstead({
  connections,
  session,
}: Pick<SignInDeps, "connections" | "session">): Promise<void> {
  await connections.setActive(sandboxConnection.id);
  session.refresh();
  void vscode.window.showInformationMessage(sandboxKeyWords);
}

async function askBaseUrl(draft: Draft, _: SignInDeps, position: Position): Promise<StepResult> {
  const isKnown = knownServices.some(({ baseUrl }) => baseUrl === draft.baseUrl);
  const answer = await ask({
    title: draft.title,
    ...position,
    prompt: "Address of the service. The key or the sign-in of a wallet is sent there and nowhere else.",
    placeholder: "https://api.example.com",
    value: isKnown ? "" : draft.baseUrl,
    problem: baseUrlProblem,
  });
  if (isValue(answer)) draft.baseUrl = answer.value;
  return answer;
}

export function baseUrlProblem(value: string): string | undefined {
  const checked = checkBaseUrl(value);
  return checked.ok ? undefined : checked.problem;
}

const dialectItems: readonly (vscode.QuickPickItem & { readonly value: DialectChoice })[] = [
  { label: "Auto", description: "recommended", detail: "Detect it from the address.", value: "auto" },
  { label: "Standard", detail: "The dialect of the service specification.", value: "standard" },
  {
    label: "Venice",
    detail: "The dialect of the public service, with its own names of members and headers.",
    value: "venice",
  },
];

/** Returns to the list of services, except after Escape. */
async function askDialect(draft: Draft): Promise<StepResult> {
  const answer = await choose({
    title: draft.title,
    step: 2,
    placeholder: "Dialect of the service",
    items: dialectItems,
    active: draft.dialect,
  });
  if (isValue(answer)) draft.dialect = answer.value;
  return answer;
}

async function askKey(draft: Draft, { session }: SignInDeps, position: Position): Promise<StepResult> {
  const answer = await askForKey(session, draft.title, draft.baseUrl, draft.dialect, position);
  if (isValue(answer)) draft.key = answer.value;
  return answer;
}

/** Asks for a key and verifies it. The value is the key. */
export function askForKey(
  session: Session,
  boxTitle: string,
  baseUrl: string,
  dialect: DialectChoice,
  position: { readonly step?: number; readonly totalSteps?: number } = {},
): Promise<StepResult> {
  return ask({
    title: boxTitle,
    ...position,
    prompt: `API key for ${new URL(baseUrl.trim()).host}. It is stored in the secret storage of VS Code.`,
    placeholder: "Paste the key",
    password: true,
    problem: (value) => (value.trim() === "" ? "Paste the key that the service gave you." : undefined),
    prove: async (value, signal) => {
      // Its window may be closed, so that nothing answers there.
      if (isSandboxKey(baseUrl, value)) return undefined;
      return proveKey(session, { baseUrl: baseUrl.trim(), dialect, key: value.trim() }, signal);
    },
  }).then((answer) => (isValue(answer) ? { value: answer.value.trim() } : answer));
}

/**
 * Undefined if the service accepts the key, else the error message. Uses the rate limits because lists of models do not
 * check the key.
 */
export async function proveKey(
  session: Pick<Session, "tryOut">,
  candidate: Candidate,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { host } = new URL(candidate.baseUrl);
  try {
    const { api } = await session.tryOut(candidate);
    await api.account.rateLimits({}, { signal });
    return undefined;
  } catch (error) {
    const { sentence } = explain(error, { service: host });
    const { path } = table.account.rateLimits;
    return sentenceWithAddress(error, sentence, host, `${apiRoot(candidate.baseUrl)}${path}`);
  }
}

/** Adds the requested address to the message because the extension appends a path to the typed one. */
function sentenceWithAddress(error: unknown, sentence: string, host: string, tried: string): string {
  if (!isApiError(error)) return sentence;
  switch (error.kind) {
    case "not-found":
    case "gone":
    case "malformed-response":
      return `${host} does not serve the API at this address (${tried}: ${said(error)}). Go back and check the path.`;
    case "network":
    case "unavailable":
    case "timed-out":
      return `${sentence} Tried: ${tried}`;
    default:
      return sentence;
  }
}

function said({ message, details: { status } }: ApiError): string {
  const words = visibleLine(message)
    .slice(0, 120)
    .replace(/[.\s]+$/, "");
  return status === undefined || status === 200 ? words : `HTTP ${status} (${words})`;
}

async function askName(draft: Draft, { connections }: SignInDeps, position: Position): Promise<StepResult> {
  const known = knownServices.find(({ baseUrl }) => baseUrl === draft.baseUrl)?.name;
  const answer = await ask({
    title: draft.title,
    ...position,
    prompt: "Name of this connection for the status bar.",
    value: draft.name || freeName(connections, known ?? new URL(draft.baseUrl.trim()).hostname),
    problem: (value) => nameProblem(connections, value),
  });
  if (isValue(answer)) draft.name = answer.value.trim();
  return answer;
}

function freeName(connections: Connections, name: string): string {
  const taken = new Set(connections.all().map((one) => one.name));
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? name : `${name} ${count}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/** Names must be unique, not empty, and short enough for the status bar. */
export function nameProblem(connections: Connections, value: string, ownId?: string): string | undefined {
  const name = value.trim();
  if (name === "") return "Enter a name.";
  if (name.length > 60) return `A name may have at most 60 characters; this one has ${name.length}.`;
  const taken = connections.all().some((other) => other.id !== ownId && other.name === name);
  return taken ? `A connection named "${name}" already exists.` : undefined;
}

export function isValue<Value>(
  answer: { readonly value: Value } | "back" | undefined,
): answer is { readonly value: Value } {
  return typeof answer === "object";
}
