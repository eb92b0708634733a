import {
  type ApiError,
  type ErrorKind,
  isApiError,
  type NetworkReason,
  type PaymentSource,
} from "../api/errors.ts";
import type { ErrorActionId, Explanation } from "../shared/errorActions.ts";
import { withoutLinks } from "../shared/withoutLinks.ts";
import { serviceErrorWords } from "./serviceErrorWords.ts";

/** What the words need to know beside the error. */
export interface ErrorContext {
  /** Name or host of the service that was asked. */
  readonly service: string;
  /** The sandbox is not offered as the way out of its own errors. */
  readonly kind?: "live" | "sandbox" | "environment";
}

interface Wording {
  /** What happened, then the next step. */
  readonly sentence: string;
  readonly actions: readonly ErrorActionId[];
}

type Worded = (error: ApiError, service: string) => Wording;

const labels: Readonly<Record<ErrorActionId, string>> = {
  retry: "Retry",
  signIn: "Sign In…",
  setKey: "Set Key",
  changeUrl: "Change URL",
  switchConnection: "Switch Connection",
  useSandbox: "Use the Sandbox",
  useLocalModel: "Use a Local Model",
  diagnose: "Diagnose",
  showLog: "Show Log",
  proxySettings: "Proxy Settings",
  certificateSettings: "Certificate Settings",
  timeoutSettings: "Timeout Setting",
  budgetSettings: "Change Budget",
};

/** The one place where errors become words: for every kind and reason a sentence with its next step, and its buttons. */
export function explain(error: unknown, context: ErrorContext): Explanation {
  if (!isApiError(error)) return toExplanation(unforeseen(error), context);
  const { retryAtMs } = error.details;
  const explained = toExplanation(worded(error, context.service), context);
  return retryAtMs === undefined || !isLimit(error) ? explained : { ...explained, retryAtMs };
}

/** Only a limit is sure to refuse until its time; a service that is down may be back any moment. */
function isLimit({ kind }: ApiError): boolean {
  return kind === "rate-limited" || kind === "failure-budget";
}

/** Words for a stream that ended without saying that it was through (wire.md section 5). */
export function explainTruncated({ service }: ErrorContext): Explanation {
  const sentence = `${service} ended the answer before it was complete. What came is kept; ask again for a whole one.`;
  return { sentence, actions: [{ id: "retry", label: labels.retry }] };
}

/** Words for an answer that was being written when the editor window went away. */
export function explainInterrupted(): Explanation {
  const sentence =
    "The window was closed while this answer was being written. What came is kept; ask again for a whole one.";
  return { sentence, actions: [{ id: "retry", label: labels.retry }] };
}

function toExplanation({ sentence, actions }: Wording, { kind }: ErrorContext): Explanation {
  const offered = actions.filter((id) => kind !== "sandbox" || !forLiveOnly.has(id));
  return { sentence: withoutLinks(sentence), actions: offered.map((id) => ({ id, label: labels[id] })) };
}

const forLiveOnly: ReadonlySet<ErrorActionId> = new Set(["useSandbox", "setKey", "changeUrl"]);

function unforeseen(error: unknown): Wording {
  const what = error instanceof Error ? error.message : String(error);
  return {
    sentence: `Something in this extension went wrong: ${said(what)}. Try again; the log tells more.`,
    actions: ["retry", "showLog"],
  };
}

/** Where the service named what is wrong, its own next step takes the place of the kind's. */
function worded(error: ApiError, service: string): Wording {
  const wording = byKind[error.kind](error, service);
  const known = serviceErrorWords(error.details.serviceCode);
  if (known === undefined) return wording;
  const [what, step] = known;
  return { ...wording, sentence: `${service} ${what}: ${reason(error)}. ${step}` };
}

/** Chains have networks where all else has models. */
function isChain({ details }: ApiError): boolean {
  return details.endpoint === "rpc.call";
}

const byKind: Readonly<Record<ErrorKind, Worded>> = {
  "needs-language-model": (error) => ({
    sentence: `${sentenceCase(said(error.message))}. Use a model that runs on this machine (Ollama, LM Studio), or sign in to a live service.`,
    actions: ["useLocalModel", "signIn", "retry"],
  }),
  "invalid-request": (error, service) => ({
    sentence: `${subject(error, service)} did not accept the request: ${reason(error)}. Change that${isChain(error) ? "" : ", or choose another model"}, and send it again.`,
    actions: ["retry", "showLog"],
  }),
  unauthorized: (error, service) => ({
    sentence:
      error.details.status === undefined
        ? `${sentenceCase(said(error.message))}. Set a key, or use the sandbox, which needs none.`
        : `${service} does not accept this key: ${said(error.message)}. Check that the key is complete and still valid, or set another one.`,
    actions: ["setKey", "switchConnection", "useSandbox"],
  }),
  "admin-key-required": (_, service) => ({
    sentence: `${service} wants a key of type ADMIN for this, and the one in use is not. Switch to a connection that has one.`,
    actions: ["switchConnection", "setKey"],
  }),
  "payment-required": (error, service) => ({
    sentence: bySource[error.details.source ?? "account"](error, service),
    actions:
      error.details.source === "budget" ? ["budgetSettings", "retry"] : ["retry", "setKey", "useSandbox"],
  }),
  forbidden: (error, service) => ({
    sentence: `${service} does not allow this here: ${said(error.message)}. Choose another model, or a key that may use it.`,
    actions: ["retry", "switchConnection"],
  }),
  "not-found": (error, service) => ({
    sentence: `${service} does not know what was asked for: ${said(error.message)}. Choose another ${isChain(error) ? "network" : "model"}; if nothing is found, check the base URL.`,
    actions: ["retry", "changeUrl", "diagnose"],
  }),
  gone: (error, service) => ({
    sentence: `${service} no longer offers this: ${said(error.message)}. Choose another model.`,
    actions: ["retry", "showLog"],
  }),
  "too-large": (error, service) => ({
    sentence: `That is more than ${service} takes at once: ${said(error.message)}. Send less, or start a new chat.`,
    actions: ["retry"],
  }),
  "refused-content": (error, service) => ({
    sentence: `${service} refused the content: ${said(error.message)}. Put it in other words and send it again.`,
    actions: ["retry"],
  }),
  "rate-limited": (error, service) => ({
    sentence: `${service} takes no more for now: ${said(error.message)}. ${nextTry(error)}`,
    actions: ["retry", "switchConnection"],
  }),
  "failure-budget": (error, service) => ({
    sentence: `Too many requests failed in a row, so ${service} turns this key away for a while. ${nextTry(error)}`,
    actions: ["retry", "diagnose"],
  }),
  unavailable: (error, service) => ({
    sentence: `${service} cannot answer at the moment: ${said(error.message)}${status(error)}. Try again in a little while.`,
    actions: ["retry", "diagnose", "showLog"],
  }),
  "timed-out": (error, service) => ({
    sentence: `${service} took too long: ${said(error.message)}. Try again, or allow more time in the settings.`,
    actions: ["retry", "timeoutSettings", "diagnose"],
  }),
  network: (error, service) => byReason[error.details.reason ?? "other"](error, service),
  cancelled: () => ({ sentence: "Stopped. Send it again whenever you like.", actions: ["retry"] }),
  "malformed-response": (error, service) => ({
    sentence: `${service} answered with something that is not the service's own format: ${said(error.message)}. Check that the base URL points at the API and that no sign-in page stands in between.`,
    actions: ["retry", "changeUrl", "diagnose"],
  }),
};

const bySource: Readonly<Record<PaymentSource, (error: ApiError, service: string) => string>> = {
  account: (error, service) =>
    `${service} asks for payment: ${said(error.message)}. Top up the balance there, or check that the key is set.`,
  "key-limit": (error, service) =>
    `This key has reached the spending limit set for it at ${service}: ${said(error.message)}. Raise the limit, wait until it resets, or set another key.`,
  credential: (error, service) =>
    `${service} does this for no one it does not know: ${said(error.message)}. Set a key.`,
  budget: (error) =>
    `Nothing was sent, because ${said(error.message)}. Change the budget in the settings, or wait until the next one begins (UTC).`,
  wallet: (error, service) =>
    `The wallet holds too little for ${service}: ${said(error.message)}. Top it up${topUpSteps(error)}, then try again.`,
};

const byReason: Readonly<Record<NetworkReason, Worded>> = {
  "name-not-found": (_, service) => ({
    sentence: `The address of ${service} could not be found. Check the base URL and that this machine is online.`,
    actions: ["retry", "changeUrl", "diagnose"],
  }),
  refused: (_, service) => ({
    sentence: `Nothing answers at the address of ${service}: the connection was refused. Check the base URL, and that the service is running.`,
    actions: ["retry", "changeUrl", "diagnose"],
  }),
  unreachable: (_, service) => ({
    sentence: `There is no way to ${service} from here. Check the network, a VPN if you need one, and the base URL.`,
    actions: ["retry", "diagnose", "proxySettings"],
  }),
  proxy: (error, service) => ({
    sentence: `The proxy does not let the request through to ${service}: ${said(error.message)}. Check the proxy in the settings, and its sign-in.`,
    actions: ["proxySettings", "retry", "diagnose"],
  }),
  certificate: (error, service) => ({
    sentence: `The certificate of ${service} could not be verified${code(error)}, so nothing was sent. If your company inspects traffic, install its root certificate on this machine.`,
    actions: ["certificateSettings", "diagnose", "retry"],
  }),
  reset: (_, service) => ({
    sentence: `The connection to ${service} broke off. Try again; if it keeps happening, diagnose the connection.`,
    actions: ["retry", "diagnose", "showLog"],
  }),
  redirect: (_, service) => ({
    sentence: `${service} redirects to another address, and a key goes to no other address than its own. Enter the final one as the base URL.`,
    actions: ["changeUrl", "diagnose"],
  }),
  other: (error, service) => ({
    sentence: `The request to ${service} failed: ${said(error.message)}. Try again, or diagnose the connection.`,
    actions: ["retry", "diagnose", "showLog"],
  }),
};

/** Our own validation speaks before anything is sent; then it was not the service that refused. */
function subject(error: ApiError, service: string): string {
  return error.details.status === undefined ? "This extension" : service;
}

function nextTry({ details }: ApiError): string {
  return details.retryAtMs === undefined
    ? "Wait a little, then try again."
    : "Try again when the wait is over.";
}

function status({ details }: ApiError): string {
  return details.status === undefined ? "" : ` (HTTP ${details.status})`;
}

function code({ details }: ApiError): string {
  return details.code === undefined ? "" : ` (${details.code})`;
}

/** What was said, and which fields break which rules, where that is not the same. */
function reason({ message, details: { issues = [] } }: ApiError): string {
  const rules = issues.map(({ field, message: rule }) => (field ? `${field}: ${rule}` : rule));
  const more = rules.filter((rule, at) => !message.includes(rule) && rules.indexOf(rule) === at);
  if (more.length === 0) return said(message);
  const reported = more.slice(0, 3).map((rule) => said(rule, 120));
  return `${said(message)} (${reported.join("; ")}${more.length > 3 ? `; and ${more.length - 3} more` : ""})`;
}

function topUpSteps({ details: { instructions = [] } }: ApiError): string {
  const steps = instructions.slice(0, 3).map((step) => said(step, 160));
  return steps.length === 0 ? "" : ` (${steps.join("; ")})`;
}

const saidLimit = 300;

/** What the service or the network said, fit to stand inside a sentence. */
function said(message: string, limit = saidLimit): string {
  const line = message
    .slice(0, 4 * limit)
    .replace(/\s+/g, " ")
    .trim();
  const short = line.length > limit ? `${line.slice(0, limit)}…` : line;
  return short.replace(/[.!\s]+$/, "") || "no reason given";
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
