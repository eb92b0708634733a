import { isApiError } from "../../api/errors/errors.ts";
import { chargedCredits } from "../../api/money/rpcCredits.ts";
import { localNetwork } from "../../shared/rpc/networks.ts";
import { exactJsonText } from "../../shared/text/json/exactJson.ts";
import type { Evm } from "../evm/evm.ts";
import type { Simulating } from "../fork/forks.ts";
import { encodeRequest, type ResultDecoding } from "../language/encode/encodeRequest.ts";
import type { EncodeContext } from "../language/encode/encodeValue.ts";
import { type HideSecrets, hidden } from "../language/environment/environments.ts";
import { formsOfResult } from "../language/environment/secretResults.ts";
import { memo } from "../language/memo.ts";
import { nodeValueOf } from "../language/parse/literal.ts";
import type { Definition } from "../language/project.ts";
import type { Json, RpcExpectation, RpcFailure, RpcSimulation } from "../output/rpcOutput.ts";
import type { RpcCall } from "../output/rpcRun.ts";
import type { SentTransactions, Values } from "./expect/values.ts";
import { hiddenIn, hiddenText } from "./hideSecrets.ts";
import { type CellPlan, headLine } from "./plan/plan.ts";
import type { RunPlan } from "./plan/runPlan.ts";
import type { RpcAnswer, RpcItem, Sender, Sent } from "./senders.ts";
import type { Fact } from "./write/writeFacts.ts";

export interface RoundDeps {
  readonly sender: Sender;
  /** Loads the Ethereum library. */
  readonly loadEvm: () => Promise<Evm>;
  readonly values: Values;
  readonly sentTransactions: SentTransactions;
  /** Asks for confirmation of a write. */
  readonly consent: (question: WriteQuestion) => Promise<boolean>;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Writes are simulated instead of sent. */
  readonly simulating?: Simulating;
}

/** The state of a line in a round. */
export interface LineState {
  readonly outcome: LineOutcome;
  readonly decoding?: ResultDecoding;
  /** Index in the round's calls. */
  readonly call?: number;
  readonly credits?: number;
  readonly note?: string;
  /** An `expect error` line expects its error. */
  readonly isExpected?: true;
  /** Not sent, because the run is a simulation and the line needs a transaction that was simulated. */
  readonly isLeftOut?: true;
  /** The error that ended the run ended this request, or came before it. */
  readonly endedBy?: "own request" | "earlier request";
  readonly simulation?: RpcSimulation;
}

/** One execution of a cell on one network. */
export interface Round {
  readonly network: string;
  readonly lines: LineState[];
  /** One for each expectation of the plan. */
  expectations: readonly RpcExpectation[];
  readonly calls: RpcCall[];
}

export interface RoundTask {
  readonly plan: RunPlan;
  readonly network: string;
  readonly signal: AbortSignal;
  readonly onProgress: () => void;
}

/** A write that needs a confirmation. */
export interface WriteQuestion {
  readonly network: string;
  readonly method: string;
  readonly facts: readonly Fact[];
}

/** A line that is ready to be sent. */
export interface Item {
  /** Index in the plan; `headLine` for the request of the newest block number. */
  readonly at: number;
  readonly method: string;
  readonly params: readonly unknown[] | undefined;
  readonly decoding?: ResultDecoding;
  /** The source of a literal item, which is sent unchanged. */
  readonly written?: RpcItem;
  /** The addresses of the ENS names in it. */
  readonly note?: string;
}

export const headItem: Item = { at: headLine, method: "eth_blockNumber", params: [] };

/** Encodes a line as an item, or returns the reason that it can't be sent. */
export function encodeLine(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  at: number,
  known: Pick<EncodeContext, "evm" | "head" | "names">,
): Item | { readonly reason: string; readonly isLeftOut?: true } {
  const { plan } = task;
  const { cell, notebook } = plan;
  const line = plan.lines[at];
  if (!line) return { reason: "This line does not exist" };
  const { written } = line;
  if (written.form === "item") return literalItem(nodeValueOf(written.node), at);
  const failed = line.after.find((other) => round.lines[other]?.outcome.kind !== "result");
  if (failed !== undefined) return withoutResult(plan, round, failed);
  let short: string | undefined;
  const resultOf = (definition: Definition) => {
    const found = resultInRound(deps, task, round, definition);
    const isShort = found && notebook.isSecret(definition) && formsOfResult(found.result).length === 0;
    if (isShort) short = definition.text;
    return found;
  };
  const request =
    written.encoded ??
    encodeRequest(written.request, notebook.contexts({ ...known, resultOf })(cell, line.statement));
  const { params, method, decoding, problems, waitsFor } = request;
  if (short !== undefined)
    return { reason: `$${short} is a secret that is too short to be hidden in results, so it is not sent` };
  const [problem] = problems;
  if (problem) return { reason: hiddenText(problem.message, notebook.hide) };
  if (waitsFor[0] !== undefined) return { reason: `$${waitsFor[0]} has no value` };
  if (!request.isKnown) return { reason: "A value of this line is not known yet" };
  const note = namesText(request.names, known.names);
  return { at, method, params, ...(decoding ? { decoding } : {}), ...(note ? { note } : {}) };
}

/** Why a line is not sent that needs the result of another one. */
function withoutResult(
  plan: CellPlan,
  round: Round,
  failed: number,
): { readonly reason: string; readonly isLeftOut?: true } {
  const name = plan.lines[failed]?.name;
  const needed = name === undefined ? "a line above" : `$${name}`;
  const { simulation, isLeftOut } = round.lines[failed] ?? {};
  if (simulation || isLeftOut)
    return { reason: `Left out: it needs ${needed}, which was simulated and not sent`, isLeftOut: true };
  return { reason: `This line needs ${needed}, which has no result` };
}

/** Names in a note. */
const mostNoted = 3;

/** `vitalik.eth is 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045`. */
function namesText(names: ReadonlySet<string>, known: EncodeContext["names"]): string {
  const all = [...names].map((name) => `${name} is ${known?.get(name)}`);
  const left = all.length - mostNoted;
  return [...all.slice(0, mostNoted), ...(left > 0 ? [`and ${left} more names`] : [])].join(", ");
}

function literalItem(value: unknown, at: number): Item | { readonly reason: string } {
  const written = value as RpcItem | null;
  if (typeof written?.method !== "string") return { reason: "This is not a call, because it has no method" };
  return { at, method: written.method, params: written.params, written };
}

/** The result of a definition in this round, or the stored one of another cell. */
export function resultInRound(
  deps: Pick<RoundDeps, "values">,
  { plan, network }: Pick<RoundTask, "plan" | "network">,
  round: Round,
  definition: Definition,
): { readonly result: unknown } | undefined {
  if (definition.cell === plan.cell) {
    const outcome = lineOfDefinition(plan, round, definition)?.outcome;
    if (outcome?.kind !== "result") return undefined;
    if (!plan.notebook.isSecret(definition)) return { result: outcome.value };
  }
  const known = deps.values.get(plan.notebook.storedAs(definition), network);
  return known && { result: known.value };
}

/** The line of a definition in this cell. */
export function lineOfDefinition(
  plan: CellPlan,
  round: Round,
  { statement }: Definition,
): LineState | undefined {
  return round.lines[linesOf(plan).get(statement) ?? -1];
}

/** The index of each line in the plan, by the index of its statement. */
const linesOf = memo(({ lines }: CellPlan) => new Map(lines.map(({ statement }, at) => [statement, at])));

/** The body of a request, and its text if the user wrote it. */
export function bodyOf(
  items: readonly Item[],
  { literal }: CellPlan,
): { readonly body: RpcItem | RpcItem[]; readonly bodyText?: string } {
  if (literal) return { body: literal.value as RpcItem | RpcItem[], bodyText: literal.text };
  const made = items.map(
    ({ method, params }, at): RpcItem => ({
      jsonrpc: "2.0",
      id: at + 1,
      method,
      params: [...(params ?? [])],
    }),
  );
  return { body: made.length === 1 && made[0] ? made[0] : made };
}

/** The outcome of a line, before it is cut for a view. */
export type LineOutcome =
  | { readonly kind: "waiting" }
  | { readonly kind: "unsent"; readonly reason: string; readonly refused?: true }
  /** A stored result of an earlier window may be cut. */
  | { readonly kind: "result"; readonly value: Json; readonly cut?: boolean }
  | RpcFailure;

/** Own error code for a missing response: the result of the call is unknown. */
export const noAnswer = 0;

/** The JSON-RPC code for an internal error, for errors without a code. */
const unnamedError = -32_603;

function outcomeOf(answer: RpcAnswer | undefined): LineOutcome {
  if (!answer)
    return { kind: "error", code: noAnswer, message: "The node returned no response to this call" };
  if (!answer.error && !("result" in answer)) {
    return { kind: "error", code: noAnswer, message: "The response contains neither a result nor an error" };
  }
  if (!answer.error) return { kind: "result", value: (answer.result ?? null) as Json };
  const { code, message, data } = answer.error;
  const failure = { code: code ?? unnamedError, message: message ?? "The node gave no reason" };
  return { kind: "error", ...failure, ...(data === undefined ? {} : { data: data as Json }) };
}

/** The response to each item; undefined if it is missing. */
export function answersFor(items: readonly Item[], { answer }: Sent): (RpcAnswer | undefined)[] {
  // A single error object applies to all items of a batch.
  if (!isList(answer)) return items.map(() => answer);
  const byId = new Map(answer.map((one) => [exactJsonText(one.id ?? null), one]));
  return items.map(({ written }, at) => byId.get(exactJsonText(written ? (written.id ?? null) : at + 1)));
}

function isList(answer: Sent["answer"]): answer is readonly RpcAnswer[] {
  return Array.isArray(answer);
}

/** Stores the outcomes and costs of the lines in the round. */
export function record(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  items: readonly Item[],
  sent: Sent,
  answers: readonly (RpcAnswer | undefined)[],
): void {
  const { network } = task;
  const { answer: _, ...facts } = sent;
  const call = round.calls.push({ network, items: items.length, ...facts }) - 1;
  const shares = items.map(({ method }, index) => creditsOf(network, method, answers[index], sent.replayed));
  const sum = shares.reduce((all, one) => all + one, 0);
  const agree = sent.credits === undefined || sent.replayed || sent.credits === sum;
  const outcomes = items.map(({ at }, index) => stored(deps, task, at, outcomeOf(answers[index])));
  const shown = hasSecret(task.plan, items) ? hiddenOutcomes(outcomes, task.plan.notebook) : outcomes;
  items.forEach(({ at, decoding, note }, index) => {
    if (at === headLine) return;
    const outcome = shown[index] ?? { kind: "waiting" };
    const before = round.lines[at]?.credits ?? 0;
    const credits = agree ? { credits: before + (shares[index] ?? 0) } : {};
    round.lines[at] = {
      outcome,
      call,
      ...credits,
      ...(decoding ? { decoding } : {}),
      ...(note ? { note } : {}),
    };
  });
}

/** The response to items with a secret comes with it, so that it is hidden in the other outcomes here. */
function hiddenOutcomes(outcomes: readonly LineOutcome[], { hide }: RunPlan["notebook"]): LineOutcome[] {
  return outcomes.map((outcome) => (hide ? { ...outcome, ...hiddenParts(outcome, hide) } : outcome));
}

function hiddenParts({ kind: _, ...parts }: LineOutcome, hide: HideSecrets): object {
  return hiddenIn(parts, hide) as object;
}

/** True if the result of an item is a secret. */
export function hasSecret({ lines, notebook }: RunPlan, items: readonly Pick<Item, "at">[]): boolean {
  return items.some(({ at }) => {
    const definition = lines[at]?.definition;
    return definition !== undefined && notebook.isSecret(definition);
  });
}

/** Stores the result of a line for lines and cells that use its name. Returns the outcome that is shown. */
export function stored(
  { values }: Pick<RoundDeps, "values">,
  { plan, network }: Pick<RoundTask, "plan" | "network">,
  at: number,
  outcome: LineOutcome,
): LineOutcome {
  const definition = plan.lines[at]?.definition;
  if (!definition || outcome.kind !== "result") return outcome;
  const name = plan.notebook.storedAs(definition);
  if (!plan.notebook.isSecret(definition)) {
    values.set(name, network, outcome.value);
    return outcome;
  }
  values.setSecret(name, network, outcome.value);
  return { kind: "result", value: hidden };
}

function creditsOf(
  network: string,
  method: string,
  answer: RpcAnswer | undefined,
  replayed: boolean,
): number {
  if (network === localNetwork || replayed) return 0;
  return chargedCredits(network, [{ method, failed: answer?.error !== undefined && answer.error !== null }]);
}

/** Marks the lines whose methods a 400 names. */
export function markNamed(task: RoundTask, round: Round, items: readonly Item[], error: unknown): void {
  if (!isApiError(error) || error.kind !== "invalid-request") return;
  const words = new Set(error.message.match(/\w+/g) ?? []);
  const paths = new Set((error.details.issues ?? []).map(({ field }) => Number.parseInt(field, 10)));
  items.forEach(({ at, method }, index) => {
    if (at === headLine || !(words.has(method) || paths.has(index))) return;
    const reason = `The service refused this line: ${error.message}`;
    round.lines[at] = { outcome: { kind: "unsent", reason, refused: true } };
  });
  task.onProgress();
}
