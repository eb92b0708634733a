import { isApiError } from "../../api/errors/errors.ts";
import { explain } from "../../platform/errors/errorMessage.ts";
import type { Explanation } from "../../shared/errorActions.ts";
import { methodOf } from "../../shared/rpc/catalog/catalog.ts";
import { coinOf, isMainnet, localNetwork } from "../../shared/rpc/networks.ts";
import { exactJsonText } from "../../shared/text/json/exactJson.ts";
import type { Evm } from "../evm/evm.ts";
import { requestText } from "../output/requestText.ts";
import type {
  Json,
  RpcChange,
  RpcExpectation,
  RpcLine,
  RpcNetwork,
  RpcOutcome,
  RpcOutput,
  RpcResult,
  RpcValue,
} from "../output/rpcOutput.ts";
import type { RpcCall, RpcPolling } from "../output/rpcRun.ts";
import { scaled } from "../output/scaled.ts";
import { priceOf } from "../output/usdText.ts";
import { bounded } from "./bounded.ts";
import { type CellRun, spentBy } from "./cellRun.ts";
import { hintsOf, needsEvm, toOutcome } from "./expect/outcome.ts";
import type { LineOutcome, LineState, Round } from "./round.ts";
import { localNodeName } from "./senders.ts";

/** The editor renders this without delay; 5 MB take two seconds. */
const maxOutputBytes = 256 * 1024;

interface OutputFacts {
  readonly runId: string;
  readonly evm: Evm | undefined;
  /** The name of the service, for error messages. */
  readonly service: string;
  readonly isSandbox: boolean;
  /** Limit of all results as JSON. */
  readonly maxBytes?: number;
  /** True if the account pays in DIEM. */
  readonly isDiem?: boolean | undefined;
  /** Changes since the previous run, by line. */
  readonly changedIn?: (key: string) => readonly RpcChange[] | undefined;
  /** The outcome of a line in the output of the previous run. */
  readonly shownBefore?: (key: string) => RpcOutcome | undefined;
}

/** Converts a run to its output, decoded and limited in size. */
export function toOutput(run: CellRun, facts: OutputFacts): RpcOutput {
  const { rounds, polling, problem, atMs, endedAtMs, plan } = run;
  const share = (facts.maxBytes ?? maxOutputBytes) / Math.max(1, plan.lines.length * rounds.length);
  const before = (round: Round) =>
    rounds.slice(0, rounds.indexOf(round)).reduce((sum, { calls }) => sum + calls.length, 0);
  const lines = rounds.flatMap((round) =>
    round.lines.map((state, at) => toLine(run, round, state, at, before(round), { share, facts })),
  );
  const expectations = rounds.flatMap((round) => round.expectations);
  const { view, networks } = plan;
  const calls: RpcCall[] = rounds.flatMap((round) => round.calls);
  return {
    version: 1,
    runId: facts.runId,
    atMs,
    done: endedAtMs !== undefined,
    networks: networks.map(toNetwork),
    lines,
    ...(expectations.length > 0 ? { expectations } : {}),
    calls,
    total: {
      ...spentBy(run),
      estimatedCredits: run.estimatedCredits,
      ms:
        endedAtMs === undefined ? calls.reduce((sum, { ms }) => sum + ms, 0) : endedAtMs - atMs - run.askedMs,
    },
    ...(facts.isSandbox && networks.some((one) => one !== localNetwork)
      ? { isPlayMoney: true as const }
      : {}),
    ...(facts.isDiem && networks.some((one) => one !== localNetwork) ? { isDiem: true as const } : {}),
    ...(view ? { view } : {}),
    ...(polling ? { polling: toPolling(polling, run) } : {}),
    ...(problem === undefined ? {} : { problem: explained(problem, facts, plan.key) }),
  };
}

/** True if the results of a run can be decoded with the Ethereum library. */
export function outputWantsEvm(run: CellRun): boolean {
  return run.rounds.some(({ lines }) =>
    lines.some((state, at) => needsEvm(state.outcome, hintsOf(run.plan, at, state))),
  );
}

/** Explains the error that ended a run. Errors of a local node are not attributed to the service. */
function explained(
  problem: unknown,
  { service, isSandbox }: OutputFacts,
  key: string | undefined,
): Explanation {
  if (key !== undefined && isApiError(problem) && problem.details.isKeyReused) {
    const sentence = `${service} refused the request, because the key ${key} of @idempotency belongs to another request of the last 24 hours. Nothing was charged. Write another key for this request, or restore the other request to get its response free.`;
    return { sentence, actions: [] };
  }
  if (!isApiError(problem) || problem.details.endpoint !== localNodeName)
    return explain(problem, { service, ...(isSandbox ? { kind: "sandbox" as const } : {}) });
  if (problem.kind !== "network") return explain(problem, { service: "The local node", kind: "environment" });
  return { sentence: problem.message, actions: [{ id: "retry", label: "Retry" }] };
}

interface Drawing {
  readonly share: number;
  readonly facts: OutputFacts;
}

/** Limits of the differences with values, and of the bytes of each value. */
const mostChanges = 50;
const changeBytes = 200;

function short({ path, before, now }: RpcChange): RpcChange {
  const cut = (value: Json) => bounded(value, changeBytes).value;
  return {
    path,
    ...(before === undefined ? {} : { before: cut(before) }),
    ...(now === undefined ? {} : { now: cut(now) }),
  };
}

export function lineKey(network: string, at: number): string {
  return `${network}/${at}`;
}

function toLine(
  run: CellRun,
  { network }: Round,
  state: LineState,
  at: number,
  callsBefore: number,
  { share, facts }: Drawing,
): RpcLine {
  const planned = run.plan.lines[at];
  const key = lineKey(network, at);
  const changed = facts.changedIn?.(key);
  const was = changed && changed.length > 0 ? valueBefore(facts.shownBefore?.(key)) : undefined;
  return {
    key,
    network,
    line: planned?.line ?? 0,
    source: planned?.source ?? "",
    method: planned?.method ?? "",
    outcome: toOutcome(reasoned(run, state, facts), hintsOf(run.plan, at, state), facts.evm, share),
    ...(planned?.name ? { name: planned.name } : {}),
    ...(state.call === undefined ? {} : { call: callsBefore + state.call }),
    ...(state.credits === undefined ? {} : { credits: state.credits }),
    ...(state.note ? { note: state.note } : {}),
    ...(state.simulation ? { simulation: state.simulation } : {}),
    ...(state.isExpected ? { isExpected: true as const } : {}),
    ...(state.isLeftOut ? { isLeftOut: true as const } : {}),
    ...(was ? { was } : {}),
    ...(changed
      ? { changed: changed.map(({ path }) => path), changes: changed.slice(0, mostChanges).map(short) }
      : {}),
  };
}

/** Says why a line was not sent: by the error of its own request, or of one before it. */
function reasoned(
  { problem, plan }: CellRun,
  { outcome, endedBy }: LineState,
  facts: OutputFacts,
): LineOutcome {
  if (endedBy === undefined || problem === undefined || outcome.kind !== "unsent") return outcome;
  const { sentence } = explained(problem, facts, plan.key);
  const [first = sentence] = /^.*?[.!?](?=\s|$)/s.exec(sentence) ?? [];
  return {
    ...outcome,
    reason: endedBy === "own request" ? first : `Not sent, as the run had ended. ${first}`,
  };
}

/** The previous result, if it is a single value that fits beside the new one. */
function valueBefore(outcome: RpcOutcome | undefined): RpcResult | undefined {
  if (outcome?.kind !== "result" || (typeof outcome.value === "object" && outcome.value !== null))
    return undefined;
  const { value, bytes, cut, whole } = bounded(outcome.value, changeBytes);
  const { decoded } = outcome;
  const isShort = decoded !== undefined && exactJsonText(decoded).length < mostDecoded;
  return {
    kind: "result",
    view: outcome.view,
    value,
    bytes,
    ...(cut ? { cut, whole } : {}),
    ...(isShort ? { decoded } : {}),
  };
}

const mostDecoded = 4_000;

function toNetwork(slug: string): RpcNetwork {
  return { slug, isMainnet: isMainnet(slug), coin: coinOf(slug) };
}

function toPolling(polling: NonNullable<CellRun["polling"]>, run: CellRun): RpcPolling {
  const { everyMs, round, times, budgetCredits, ended, history } = polling;
  return {
    everyMs,
    round,
    rounds: times,
    ...(budgetCredits === undefined ? {} : { budgetCredits }),
    ...(ended ? { ended } : {}),
    history: history.map(({ atMs, credits, rounds }) => ({
      atMs,
      credits,
      values: rounds.flatMap(({ lines }) =>
        lines.map(({ outcome }, at) => roundText(outcome, run.plan.lines[at]?.method)),
      ),
    })),
  };
}

/** Lists are counted, because a watch has long ones in each round. */
function roundText(outcome: LineOutcome, method: string | undefined): string {
  const list = outcome.kind === "result" && Array.isArray(outcome.value) ? outcome.value : undefined;
  return list ? `${list.length} ${method === "eth_getLogs" ? "logs" : "items"}` : shortText(outcome, method);
}

/** True if all lines of a run have a result, or the error that is expected, and all expectations hold. */
export function isFine({ lines, expectations = [], problem }: RpcOutput): boolean {
  return (
    problem === undefined && lines.every(isLineFine) && expectations.every(({ state }) => state === "passed")
  );
}

/** In a simulation also true for a transaction that would succeed, and for lines that need its result. */
export function isLineFine({ outcome, isExpected, isLeftOut, simulation }: RpcLine): boolean {
  return (
    outcome.kind === "result" || isExpected === true || isLeftOut === true || simulation?.status === "success"
  );
}

/** `expect $balance > 1 ether: not met: expected > 1 ether, actual 0.5 ether, difference -0.5 ether`. */
export function expectationText(expectation: RpcExpectation): string {
  const { source, state } = expectation;
  return `${source}: ${state === "passed" ? "met" : unmetText(expectation)}`;
}

/** Why an expectation does not hold, without its source. */
export function unmetText({ state, expected, actual, difference, reason }: RpcExpectation): string {
  if (state === "unchecked") return `not checked: ${reason ?? "the run ended before"}`;
  const facts = Object.entries({ expected, actual, difference }).flatMap(([name, text]) =>
    text === undefined ? [] : [`${name} ${text}`],
  );
  const head = state === "broken" ? "can't be checked" : "not met";
  return `${head}: ${[...facts, ...(reason === undefined ? [] : [reason])].join(", ")}`;
}

/**
 * The problem of the run, else the first line without a result, else the first expectation that does not hold.
 * `firstLine` is the number of the cell's first line.
 */
export function failureOf({ problem, lines, expectations = [] }: RpcOutput, firstLine = 1): string {
  if (problem) return problem.sentence;
  const failed = lines.find((line) => !isLineFine(line));
  const unmet = expectations.find(({ state }) => state !== "passed");
  if (failed) return `Line ${firstLine + failed.line}: ${lineFailure(failed)}`;
  return unmet ? `Line ${firstLine + unmet.line}: ${expectationText(unmet)}` : "The cell failed.";
}

/** Why a line has no result. */
function lineFailure({ outcome }: RpcLine): string {
  if (outcome.kind === "error") return `error ${outcome.code}: ${outcome.message}`;
  return outcome.kind === "unsent" ? outcome.reason : "no result";
}

/** A short text for an outcome. */
export function shortText(outcome: LineOutcome | RpcOutcome, method = ""): string {
  switch (outcome.kind) {
    case "waiting":
      return "…";
    case "unsent":
      return outcome.reason;
    case "error":
      return `error ${outcome.code}: ${outcome.message}`;
    case "result":
      return "decoded" in outcome && outcome.decoded?.kind === "values"
        ? outcome.decoded.values.map(valueText).join(", ")
        : jsonText(outcome.value, methodOf(method)?.result ?? "");
  }
}

function valueText({ name, value, amount }: RpcValue): string {
  const one = amount === undefined ? value : `${amount} (${value})`;
  const text = typeof one === "string" ? one : `(${one.map(valueText).join(", ")})`;
  return name ? `${name}: ${text}` : text;
}

function jsonText(value: Json, kind: string): string {
  if (
    typeof value === "string" &&
    (kind === "quantity" || kind === "wei") &&
    /^0x[0-9a-f]{1,64}$/i.test(value)
  ) {
    const number = BigInt(value);
    return kind === "wei" ? `${scaled(number, 18)} (${number} wei)` : String(number);
  }
  const text = typeof value === "string" ? value : exactJsonText(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

/** A run as plain text, for other renderers. */
export function outputText(output: RpcOutput): string {
  const several = output.networks.length > 1;
  const lines = output.lines.map(({ network, name, method, source, outcome, note }) => {
    const request = requestText({ source, method });
    const head = `${several ? `${network}  ` : ""}${name ? `${name} = ` : ""}${request}`;
    return [`${head}  ${shortText(outcome, method)}`, ...(note ? [`  ${note}`] : [])].join("\n");
  });
  const checks = (output.expectations ?? []).map(
    (one) => `${several ? `${one.network}  ` : ""}${expectationText(one)}`,
  );
  const { credits, usd, ms } = output.total;
  const replayed = output.calls.some((call) => call.replayed) ? " · replayed, not charged" : "";
  const money = `${credits} credits · ${priceOf(usd, output)} · ${Math.round(ms)} ms${replayed}`;
  return [...lines, ...checks, ...(output.problem ? [output.problem.sentence] : []), money].join("\n");
}
