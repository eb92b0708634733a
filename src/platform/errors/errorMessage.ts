import {
  type ApiError,
  type ErrorKind,
  isApiError,
  isLimit,
  type NetworkReason,
  type PaymentSource,
  proxyClosedCode,
  proxySignInCode,
} from "../../api/errors/errors.ts";
import {
  exhaustedCode,
  forbiddenCode,
  headersOverflowCode,
  notHttpCode,
  ownTimeoutCode,
} from "../../api/errors/networkCodes.ts";
import type { ErrorActionId, Explanation } from "../../shared/errorActions.ts";
import { messageOf } from "../../shared/messageOf.ts";
import { settings } from "../../shared/names/ids.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";
import { shortened } from "../../shared/text/shortened.ts";
import { adviceFor, adviceForCode, type advisedKinds } from "./advice.ts";
import { Refusal } from "./refusal.ts";
import { serviceErrorWords } from "./serviceErrorWords.ts";

/** Context of an error message. */
export interface ErrorContext {
  /** Name or host of the service. */
  readonly service: string;
  /** For errors of the sandbox, the sandbox is not offered as an alternative. */
  readonly kind?: "live" | "sandbox" | "environment";
}

interface Wording {
  /** The event, then the next step. */
  readonly sentence: string;
  readonly actions: readonly ErrorActionId[];
}

type Worded = (error: ApiError, service: string) => Wording;

const labels: Readonly<Record<ErrorActionId, string>> = {
  retry: "Retry",
  sendAsText: "Send as Text",
  withoutTools: "Ask Without Tools",
  signIn: "Sign In…",
  setKey: "Set Key",
  changeUrl: "Change URL",
  switchConnection: "Switch Service",
  useSandbox: "Use the Sandbox",
  useLocalModel: "Use a Local Model",
  diagnose: "Diagnose",
  showLog: "Show Log",
  proxySettings: "Proxy Settings",
  certificateSettings: "Certificate Settings",
  timeoutSettings: "Timeout Setting",
  budgetSettings: "Change Budget",
  editKey: "Edit API Key",
  walletSettings: "Wallet Settings",
};

/** The only module that words errors: for every kind and reason a sentence with its next step, and buttons. */
export function explain(error: unknown, context: ErrorContext): Explanation {
  if (error instanceof Refusal)
    return toExplanation({ sentence: error.message, actions: ["retry"] }, context);
  if (!isApiError(error)) return toExplanation(ofFile(error) ?? unforeseen(error), context);
  const { retryAtMs } = error.details;
  const explained = toExplanation(wordingOf(error, context.service), context);
  const { topUp } = error.details;
  if (topUp) return { ...explained, topUp };
  return retryAtMs === undefined || !isLimit(error) ? explained : { ...explained, retryAtMs };
}

/** The message for a stream that ended without `[DONE]` (wire.md section 5). */
export function explainTruncated({ service }: ErrorContext): Explanation {
  const sentence = `${service} ended the answer before it was complete. The text received so far is kept. Ask again for a complete answer.`;
  return { sentence, actions: [{ id: "retry", label: labels.retry }] };
}

/** The message for an answer that was streaming when the window was closed. */
export function explainInterrupted(): Explanation {
  const sentence =
    "The window was closed while this answer was streaming. The text received so far is kept. Ask again for a complete answer.";
  return { sentence, actions: [{ id: "retry", label: labels.retry }] };
}

function toExplanation({ sentence, actions }: Wording, { kind }: ErrorContext): Explanation {
  const offered = actions.filter((id) => kind !== "sandbox" || !forLiveOnly.has(id));
  return { sentence: withoutLinks(sentence), actions: offered.map((id) => ({ id, label: labels[id] })) };
}

const forLiveOnly: ReadonlySet<ErrorActionId> = new Set(["useSandbox", "setKey", "changeUrl"]);

const deniedFile = ["permission is denied", "Choose another folder, or change its permissions"] as const;
const fullDisk = ["the disk is full", "Free some space, and try again"] as const;
/** Of Node's codes those that the user can do something about, with the reason and the next step. */
const byFileCode = new Map<string, readonly [reason: string, step: string]>([
  ["EACCES", deniedFile],
  ["EPERM", deniedFile],
  ["EROFS", ["the disk is read-only", "Choose a folder on another disk"]],
  ["ENOSPC", fullDisk],
  ["EDQUOT", fullDisk],
]);

/**
 * The wording for a file that can't be read or written. Both Node and the editor, which passes it on, say it as in
 * "EACCES: permission denied, open '/a/b'"; a program that can't be started and a connection are worded otherwise.
 */
function ofFile(error: unknown): Wording | undefined {
  const [, code = "", path] =
    /\b(E[A-Z]{3,12}): [^,']{1,80}, \w+(?: '([^']+)')?/.exec(messageOf(error)) ?? [];
  const isDenied = error instanceof Error && error.name === "NoPermissions (FileSystemError)";
  const found = byFileCode.get(code) ?? (isDenied ? deniedFile : undefined);
  if (!found) return undefined;
  const [why, next] = found;
  const what = path === undefined ? "A file" : said(path);
  return { sentence: `${what} can't be read or written: ${why}. ${next}.`, actions: ["retry", "showLog"] };
}

function unforeseen(error: unknown): Wording {
  const what = messageOf(error);
  return {
    sentence: `Something in this extension went wrong: ${said(what)}. Try again. The log has details.`,
    actions: ["retry", "showLog"],
  };
}

/** If the service named the cause, the next step of that code replaces that of the kind. */
function wordingOf(error: ApiError, service: string): Wording {
  const wording = byKind[error.kind](error, service);
  const what = serviceErrorWords(error.details.serviceCode);
  const next = adviceForCode(error.details);
  if (what === undefined || next === undefined) return wording;
  return { ...wording, sentence: `${service} ${what}: ${reason(error)}. ${next}` };
}

/** The next step, which depends on what the request was about. */
function step(error: ApiError, kind: (typeof advisedKinds)[number]): string {
  return adviceFor(kind, error.message, error.details);
}

const byKind: Readonly<Record<ErrorKind, Worded>> = {
  "needs-language-model": (error) => ({
    sentence: `${sentenceCase(said(error.message))}. Use a model that runs on this machine (Ollama, LM Studio), or sign in to a live service.`,
    actions: ["useLocalModel", "signIn", "retry"],
  }),
  "not-signed": (error) => ({
    sentence: `Nothing was sent, because the wallet did not sign: ${said(error.message)}. Check the wallet's program in the settings, or paste a signature.`,
    actions: ["retry", "walletSettings"],
  }),
  "invalid-request": (error, service) => ({
    sentence: `${subject(error, service)} did not accept the request: ${reason(error)}. ${step(error, "invalid-request")}`,
    actions: ["retry", "showLog"],
  }),
  unauthorized: (error, service) => ({
    sentence:
      error.details.status === undefined
        ? `${sentenceCase(said(error.message))}. Set a key, or use the sandbox, which needs no key.`
        : `${service} does not accept this key: ${said(error.message)}. Check that the key is complete and still valid, or set another one.`,
    actions: ["setKey", "switchConnection", "useSandbox"],
  }),
  "admin-key-required": (_, service) => ({
    sentence: `${service} requires a key of type ADMIN for this. Switch to a connection with such a key.`,
    actions: ["switchConnection", "setKey"],
  }),
  "payment-required": (error, service) => ({
    sentence: bySource[error.details.source ?? "account"](error, service),
    actions: [
      ...afterPaymentSource[error.details.source ?? "account"],
      ...(error.details.isForHardStop ? (["budgetSettings"] as const) : []),
    ],
  }),
  forbidden: (error, service) => ({
    sentence: `${service} does not allow this here: ${said(error.message)}. ${step(error, "forbidden")}`,
    actions: ["retry", "switchConnection"],
  }),
  "not-found": (error, service) => ({
    sentence: `${service} did not find the requested item: ${said(error.message)}. ${step(error, "not-found")}`,
    actions: ["retry", "changeUrl", "diagnose"],
  }),
  gone: (error, service) => ({
    sentence: `${service} no longer offers this: ${said(error.message)}. ${step(error, "gone")}`,
    actions: ["retry", "showLog"],
  }),
  "too-large": (error, service) => ({
    sentence: `The request is too large for ${service}: ${said(error.message)}. ${step(error, "too-large")}`,
    actions: ["retry"],
  }),
  "refused-content": (error, service) => ({
    sentence: `${service} refused the content: ${said(error.message)}. ${step(error, "refused-content")}`,
    actions: ["retry"],
  }),
  "rate-limited": (error, service) => ({
    sentence: `${service} accepts no more requests for now: ${said(error.message)}. ${nextTry(error)}`,
    actions: ["retry", "switchConnection"],
  }),
  "failure-budget": (error, service) => ({
    sentence: `Too many requests failed in a row, so ${service} refuses this key for a while. ${nextTry(error)}`,
    actions: ["retry", "diagnose"],
  }),
  unavailable: (error, service) => ({
    sentence: `${service} cannot answer at the moment: ${said(error.message)}${status(error)}. Try again in a few minutes.`,
    actions: ["retry", "diagnose", "showLog"],
  }),
  "timed-out": (error, service) => ({
    sentence: `${service} took too long: ${said(error.message)}. Try again, or raise the timeout in the settings.`,
    actions: ["retry", "timeoutSettings", "diagnose"],
  }),
  network: (error, service) => byReason[error.details.reason ?? "other"](error, service),
  cancelled: () => ({ sentence: "Stopped. You can send it again.", actions: ["retry"] }),
  "malformed-response": (error, service) => ({
    sentence: `${service} answered in an unexpected format: ${said(error.message)}. Check that the base URL is that of the API, and that no sign-in page of the network answers instead.`,
    actions: ["retry", "changeUrl", "diagnose"],
  }),
};

/** Buttons that do what the sentence of the source says. */
const afterPaymentSource: Readonly<Record<PaymentSource, Wording["actions"]>> = {
  account: ["retry", "switchConnection", "setKey", "useSandbox"],
  "key-limit": ["editKey", "setKey", "retry", "useSandbox"],
  credential: ["setKey", "useSandbox"],
  wallet: ["retry", "setKey"],
  budget: ["budgetSettings", "retry"],
  "budget-unread": ["budgetSettings", "retry"],
  task: ["retry"],
  limit: ["retry"],
  unpriced: ["retry"],
  unbounded: ["retry"],
  ledger: ["retry", "showLog"],
};
const bySource: Readonly<Record<PaymentSource, (error: ApiError, service: string) => string>> = {
  account: (error, service) =>
    `${service} asks for payment: ${said(error.message)}. Top up the balance there and press Retry, or switch to another service.`,
  "key-limit": (error, service) =>
    `This key has reached its spending limit at ${service}: ${said(error.message)}. Raise the limit, wait until it resets, or set another key.`,
  credential: (error, service) => `${service} requires a key for this: ${said(error.message)}. Set a key.`,
  budget: (error) =>
    `Nothing was sent, because ${said(error.message)}. Change the budget in the settings, or wait until the next period begins (UTC).`,
  "budget-unread": (error) =>
    `Nothing was sent, because a budget can't be read: ${said(error.message)}. Correct it in the settings, and try again.`,
  task: (error) =>
    `The task has stopped: nothing was sent, because ${said(error.message)}. Raise the cap beside Send, and press Retry to go on.`,
  limit: (error) =>
    `The task has stopped: nothing was sent, because ${said(error.message)}. Raise the limit in the settings of this chat, and press Retry to go on.`,
  unpriced: (error) =>
    `Nothing was sent, because ${said(error.message)}. Choose a model for which the service lists its price and its context size${error.details.isForHardStop ? ", or let the budget warn instead of stopping" : ""}.`,
  unbounded: (error) =>
    `Nothing was sent, because ${said(error.message)}. Set “Longest answer” in Settings of This Chat, and press Retry.`,
  ledger: (error) =>
    `Nothing was sent, because ${said(error.message)}. ${isDiskFull(error) ? "Free space on the disk" : "Make the file writable"}, and try again.`,
  wallet: (error, service) =>
    `The wallet balance is too low for ${service}: ${said(error.message)}. Top it up${topUpSteps(error)}, then try again.`,
};

const byReason: Readonly<Record<NetworkReason, Worded>> = {
  "name-not-found": (_, service) => ({
    sentence: `The address of ${service} could not be found. Check the base URL and that this machine is online.`,
    actions: ["retry", "changeUrl", "diagnose"],
  }),
  refused: (_, service) => ({
    sentence: `${service} refused the connection. Check the base URL, and that the service is running.`,
    actions: ["retry", "changeUrl", "diagnose"],
  }),
  unreachable: (_, service) => ({
    sentence: `${service} can't be reached from this machine. Check the network, a VPN if you need one, and the base URL.`,
    actions: ["retry", "diagnose", "proxySettings"],
  }),
  proxy: (error, service) => ({
    sentence: proxyFault(error, service),
    actions: ["proxySettings", "retry", "diagnose"],
  }),
  certificate: (error, service) => ({
    sentence: `The certificate of ${service} ${certificateFault(error)}`,
    actions: ["certificateSettings", "diagnose", "retry"],
  }),
  tls: (error, service) => ({
    sentence: `No encrypted connection to ${service} could be made${code(error)}, so nothing was sent. Check the base URL and its port. A server that asks for a certificate of yours, or has no TLS 1.2, can't be used.`,
    actions: ["changeUrl", "diagnose", "retry"],
  }),
  reset: (_, service) => ({
    sentence: `The connection to ${service} was lost. Try again. If it keeps happening, diagnose the connection.`,
    actions: ["retry", "diagnose", "showLog"],
  }),
  redirect: (error, service) => ({
    sentence: `${service} redirects to ${error.details.location ?? "another address"}, but a key is sent only to the address it was entered for. Enter the final address as the base URL.`,
    actions: ["changeUrl", "diagnose"],
  }),
  "plain-http": (_, service) => ({
    sentence: `${service} answers without TLS at this address, so nothing was sent. If it is on this machine or a network that you trust, write http:// in the base URL.`,
    actions: ["changeUrl", "diagnose"],
  }),
  "tls-needed": (_, service) => ({
    sentence: `${service} expects HTTPS at this address. Write https:// in the base URL.`,
    actions: ["changeUrl", "diagnose"],
  }),
  "http2-only": (_, service) => ({
    sentence: `${service} speaks only HTTP/2 at this address, which this extension does not. Allow HTTP/1.1 at its gateway, or enter another address as the base URL.`,
    actions: ["changeUrl", "diagnose"],
  }),
  challenge: (error, service) => ({
    sentence: `A gateway in front of ${service} answered with a page that checks visitors (${said(error.message, 100)}), which a program can't pass. Try another network, without a VPN, or ask the service to let its API through.`,
    actions: ["retry", "diagnose", "proxySettings"],
  }),
  portal: (_, service) => ({
    sentence: `This network asks you to sign in before it lets you reach ${service}. Open a page in your browser, sign in there, and try again.`,
    actions: ["retry", "diagnose"],
  }),
  other: (error, service) => ({
    sentence: `The request to ${service} failed: ${said(error.message)}. ${stepOfCode(error)}`,
    actions: ["retry", "diagnose", "showLog"],
  }),
};

const proxyPlaces = `“http.proxy” in the settings, or HTTPS_PROXY in the environment of the editor`;

/** With the step that helps: a proxy that was not reached, that wants a sign-in, and that forbids, need different ones. */
function proxyFault(error: ApiError, service: string): string {
  const { code } = error.details;
  const what = said(error.message);
  if (code === proxyClosedCode)
    return `The proxy closes the connection to ${service}, so nothing was sent. Check the proxy (${proxyPlaces}), and whether it allows this address.`;
  if (code === proxySignInCode)
    return `The proxy refused the request to ${service}: ${what}, so nothing was sent. Write your name and password for it into its address, http://NAME:PASSWORD@HOST:PORT, or correct them there (${proxyPlaces}).`;
  if (/^it answered HTTP/.test(what))
    return `The proxy refused the request to ${service}: ${what}, so nothing was sent. Ask who runs it to allow this address, or check the proxy (${proxyPlaces}).`;
  return `The proxy on the way to ${service} can't be used: ${what}. Check the proxy (${proxyPlaces}), and that it runs.`;
}

/** The end of a sentence. */
function certificateFault(error: ApiError): string {
  const named = error.details.code ?? "";
  if (/EXPIRED$/.test(named))
    return `has expired${code(error)}, so nothing was sent. Check the clock of this machine. If it is right, the service must renew the certificate.`;
  if (/NOT_YET_VALID$/.test(named))
    return `is not valid yet${code(error)}, so nothing was sent. Check the clock of this machine.`;
  if (/ALTNAME|HOSTNAME/.test(named))
    return `is for another host${code(error)}, so nothing was sent. Check the host in the base URL.`;
  if (/REVOKED$/.test(named))
    return `was revoked${code(error)}, so nothing was sent. Ask the service for a new one.`;
  return `could not be verified${code(error)}, so nothing was sent. If your company inspects traffic, install its root certificate on this machine.`;
}

const stepsOfCode: readonly (readonly [RegExp, string])[] = [
  [notHttpCode, "Check that the base URL and its port are those of the API."],
  [
    new RegExp(headersOverflowCode),
    "Ask who runs the service, or a gateway in front of it, to send smaller ones.",
  ],
  [
    ownTimeoutCode,
    `Try again, or set “${settings.connectionTransport}” to undici, which has no limit of its own.`,
  ],
  [forbiddenCode, "Allow it in the firewall or the security software of this machine."],
  [exhaustedCode, "Close windows or programs, and try again."],
];

function stepOfCode({ details }: ApiError): string {
  const found = stepsOfCode.find(([pattern]) => pattern.test(details.code ?? ""));
  return found?.[1] ?? "Try again, or diagnose the connection.";
}

function isDiskFull({ details }: ApiError): boolean {
  return details.code === "ENOSPC" || details.code === "EDQUOT";
}

/** If our own validation failed, nothing was sent, so the service did not refuse it. */
function subject(error: ApiError, service: string): string {
  return error.details.status === undefined ? "This extension" : service;
}

function nextTry({ details }: ApiError): string {
  return details.retryAtMs === undefined
    ? "Wait a few minutes, then try again."
    : "Try again after the wait.";
}

function status({ details }: ApiError): string {
  return details.status === undefined ? "" : ` (HTTP ${details.status})`;
}

function code({ details }: ApiError): string {
  return details.code === undefined ? "" : ` (${details.code})`;
}

/** The service's message, and the violated rules if they add something. */
function reason({ message, details: { issues = [] } }: ApiError): string {
  // What the message says already is not said once more with its field.
  const fresh = issues.filter(({ message: rule }) => !message.includes(bare(rule)));
  const rules = fresh.map(({ field, message: rule }) => (field ? `${field}: ${rule}` : rule));
  const more = rules.filter((rule, at) => rules.indexOf(rule) === at);
  if (more.length === 0) return said(message);
  const reported = more.slice(0, 3).map((rule) => said(rule, 120));
  return `${said(message)} (${reported.join("; ")}${more.length > 3 ? `; and ${more.length - 3} more` : ""})`;
}

function bare(rule: string): string {
  return rule.replace(/[.!\s]+$/, "");
}

function topUpSteps({ details: { topUp } }: ApiError): string {
  const steps = topUp?.steps.slice(0, 3).map((step) => said(step, 160)) ?? [];
  return steps.length === 0 ? "" : ` (${steps.join("; ")})`;
}

const saidLimit = 300;

/** A message of the service or the network as part of a sentence. */
function said(message: string, limit = saidLimit): string {
  const line = message
    .slice(0, 4 * limit)
    .replace(/\s+/g, " ")
    .trim();
  const short = shortened(line, limit);
  return short.replace(/[.!\s]+$/, "") || "no reason given";
}

/** The text with a capital letter in front, as the first word of a sentence. */
export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
