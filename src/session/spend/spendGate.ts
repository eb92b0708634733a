import type { Memento } from "vscode";
import { modelOfInput } from "../../api/call/attempt.ts";
import type { Model } from "../../api/endpoints/models.ts";
import { ApiError, type ApiErrorDetails, type PaymentSource } from "../../api/errors/errors.ts";
import type { SpendTask } from "../../api/money/charge.ts";
import { needsListing, type PaidCall, upperUsd } from "../../api/money/upperPrice.ts";
import type { Budgets } from "../../platform/settings.ts";
import { splitModelId } from "../../shared/chat/modelId.ts";
import { messageOf } from "../../shared/messageOf.ts";
import { Counted, countedPart, unitOf } from "../../shared/money/budgetRule.ts";
import { computedIn } from "../../shared/money/money.ts";
import { moneyText, spendText } from "../../shared/money/moneyText.ts";
import { type BudgetFault, faultText, type ScopedBudget, scopeId } from "../../shared/money/scopedBudget.ts";
import { dayOf, dayText, monthOf } from "../../shared/time/days.ts";
import { receiverOf } from "../connection/baseUrl.ts";
import type { Connection } from "../connection/connection.ts";
import type { Consents } from "../consent/consents.ts";
import { overdraftConsent } from "../consent/lastingConsents.ts";
import { type PlaceOf, placeTags, tagsOfCall } from "./scopes/callTags.ts";
import { budgetFor, isInScope, type SpendTags } from "./scopes/spendTags.ts";
import type { Judge, Spend } from "./spend.ts";
import type { TaskSpend } from "./spendBook.ts";
import {
  type BudgetState,
  budgetName,
  budgetStates,
  byRest,
  countedText,
  ruleText,
  scopedState,
} from "./spendBudget.ts";
import { modelIdsOf, type Prices, upperPricesOf } from "./spendEntry.ts";
import type { Hold } from "./spendLines.ts";

/** The user's decision about a call beyond a budget. */
export type OverdraftAnswer = "once" | "period" | "no";

export interface SpendGateDeps {
  readonly spend: Pick<Spend, "reserve" | "judgeAgain">;
  readonly budgets: () => Budgets;
  /** Stores for all windows which warnings were shown. */
  readonly state: Pick<Memento, "get" | "update">;
  /** Stores which overdrafts were allowed. */
  readonly consents: Consents;
  readonly now: () => number;
  /** The folder and the branch of a call, for the budgets that name them. */
  readonly placeOf?: PlaceOf;
  /** Shows a warning. It is not awaited. */
  readonly warn: (budget: BudgetState) => void;
  readonly ask: (budget: BudgetState) => Promise<OverdraftAnswer>;
}

/** Checks billable calls against the budgets. Throws ApiError `payment-required` if a call would exceed one. */
export interface SpendGate {
  /**
   * Runs before every billable call and reserves its maximum cost. Resolves to the id of the hold, or undefined if no
   * budget is set. An inline completion always gets a hold, because the ledger has to know the bound of one that was
   * cancelled, and never asks, because the user is typing.
   */
  admit(
    connection: Connection,
    call: PaidCall,
    prices: Prices,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined>;
  /**
   * Runs before a call is sent that has waited since its admission, for a rate limit or a repetition. It keeps its place
   * before later calls. The user is not asked again.
   */
  admitAgain(connection: Connection, call: PaidCall, hold: string): Promise<void>;
}

const warnedKey = "spend.warned";

export function createSpendGate(deps: SpendGateDeps): SpendGate {
  const { state, consents, now } = deps;
  const asking = new Map<string, Promise<OverdraftAnswer>>();
  const beganOf = ({ period }: BudgetState) => (period === "day" ? dayOf(now()) : monthOf(now()).from);
  const consentTo = (connection: Connection, budget: BudgetState) =>
    overdraftConsent(receiverOf(connection), {
      period: budget.period,
      from: beganOf(budget),
      per: budget.per && scopeId(budget.per),
      name: budgetName(budget),
    });
  const warnOnce = async (connection: Connection, budget: BudgetState) => {
    const { period, per } = budget;
    const stamp = [connection.id, period, dayText(beganOf(budget)), ...(per ? [scopeId(per)] : [])].join(" ");
    const warned = state.get<readonly string[]>(warnedKey, []);
    if (warned.includes(stamp)) return;
    await state.update(warnedKey, [...warned.slice(-mostMarks), stamp]);
    deps.warn(budget);
  };
  const askOnce = (connection: Connection, budget: BudgetState): Promise<OverdraftAnswer> => {
    const consent = consentTo(connection, budget);
    const question = JSON.stringify([consent.receiver, consent.subject]);
    const ask = async () => {
      const answer = await deps.ask(budget);
      if (answer === "period") await consents.give(consent);
      return answer;
    };
    // Calls that wait for the same question share its answer.
    const asked = asking.get(question) ?? ask().finally(() => asking.delete(question));
    asking.set(question, asked);
    return asked;
  };
  const isOver = (connection: Connection, budget: BudgetState) =>
    !budget.limit.exceeds(budget.counted.plus(budget.claimed)) &&
    !consents.use(consentTo(connection, budget));
  const judgeBudgets: JudgeBudgets = (connection, { limits, parts, most, isAllowed }, ...spent) => {
    const [totals, claims, , , scopeOf] = spent;
    const ofParts = parts.map((budget) => scopedState(budget, scopeOf(budget.per), totals.paidIn));
    const states = [...budgetStates(limits, totals, claims), ...ofParts].sort(byRest);
    const isPassed = ({ isHardStop, counted, claimed, limit }: BudgetState) =>
      isHardStop && counted.plus(claimed).plus(most).exceeds(limit);
    const isAsked = (budget: BudgetState) =>
      !budget.isHardStop && !isAllowed(budget) && isOver(connection, budget);
    // Nobody is asked about a call that another budget refuses.
    const over = states.find(isPassed) ?? states.find(isAsked);
    // The call does not wait for the user to read the warnings.
    const near = over ? [] : states.filter(({ level, name }) => level === "near" && name === undefined);
    for (const budget of near) void warnOnce(connection, budget);
    return over;
  };
  const judgeOf = createJudgeOf(judgeBudgets);
  return { admit: createAdmit(deps, judgeOf, askOnce), admitAgain: createAdmitAgain(deps, judgeOf) };
}

/** Warnings and approvals that are remembered: those of all budgets of some days. */
const mostMarks = 200;

function createJudgeOf(judgeBudgets: JudgeBudgets): JudgeOf {
  return (connection, { source, input }, terms) =>
    (...spent) => {
      const [, , spentOnTask, hasCharged] = spent;
      const limit = source?.task?.refusal?.();
      if (limit !== undefined) return { error: refusedTask("limit", limit) };
      // What costs nothing can't pass a cap, not even one that is used up.
      if (terms.isFree && !hasCharged(modelOfInput(input))) return undefined;
      const [fault] = terms.faults;
      if (fault) return { error: notSent(faultText(fault), "budget-unread") };
      const error = source?.task && refusalOfTask(source.task, spentOnTask, terms.most);
      return error ? { error } : judgeBudgets(connection, terms, ...spent);
    };
}

function createAdmit(
  { spend, budgets, placeOf }: SpendGateDeps,
  judgeOf: JudgeOf,
  ask: (connection: Connection, budget: BudgetState) => Promise<OverdraftAnswer>,
): SpendGate["admit"] {
  return async (connection, call, prices, signal) => {
    const limits = withCaps(budgets(), call);
    const tags = await orAborted(tagsFor(call, limits, prices, placeOf), signal);
    const judged = { limits, ...concerning(limits, tags) };
    // The hold says where the call counts, also for one that no budget counts: its branch may be another one at its end.
    if (!tags && !isGuarded(call, limits)) return undefined;
    const { task, kind } = call.source ?? {};
    const asked = { task, keyEnding: call.keyEnding, tags };
    const mustBeBounded = hasHardStop(judged) || task !== undefined;
    const bound = await orAborted(boundOf(call, prices, mustBeBounded), signal);
    const [most, isFree] = [bound ?? Counted.zero, bound?.sign === 0];
    const isRecorded = mustBeBounded && !isFree;
    const answerTo = async (budget: BudgetState) =>
      budget.isHardStop || kind === "completion" ? "no" : await orAborted(ask(connection, budget), signal);
    const allowed = new Set<string>();
    const isAllowed = (budget: BudgetState) => allowed.has(budgetName(budget));
    for (;;) {
      const judge = judgeOf(connection, call, { ...judged, most, isFree, isAllowed });
      const given = await spend.reserve(connection, most, judge, asked).catch((error: unknown) => {
        if (isRecorded) throw notRecorded(error, task);
      });
      if (!given) return undefined;
      if ("hold" in given) return given.hold;
      allowed.add(budgetName(await overdrawn(given.refusal, call, most, answerTo)));
    }
  };
}

/** The budgets of the settings with those of the caller. */
function withCaps(limits: Budgets, { source }: PaidCall): Budgets {
  const { caps = [] } = source ?? {};
  if (caps.length === 0) return limits;
  const { scoped = [], faults = [] } = limits.parts ?? {};
  return { ...limits, parts: { scoped: [...scoped, ...caps], faults } };
}

/** What budgets name of a call; undefined if there is no budget of a part of the calls. */
async function tagsFor(
  call: PaidCall,
  { parts }: Budgets,
  prices: Prices,
  placeOf: SpendGateDeps["placeOf"],
): Promise<SpendTags | undefined> {
  const { scoped = [], faults = [] } = parts ?? {};
  if (scoped.length === 0 && faults.length === 0) return undefined;
  const ofModels = scoped.filter(({ per }) => per.model !== undefined);
  // A model behind another name must not pass the hard stop of the model.
  const isStrict = ofModels.some(({ onReach }) => onReach === "stop");
  const idsOf = ofModels.length > 0 ? modelIdsOf(prices, call, isStrict) : undefined;
  const [place, idOf] = await Promise.all([placeTags(placeOf, call.source), idsOf]);
  return tagsOfCall(call, place, idOf ?? ((name) => splitModelId(name).id));
}

/** The budgets of parts of the calls, and the budgets that can't be read, as far as they concern a call. */
function concerning({ parts }: Budgets, tags: SpendTags | undefined): Pick<Terms, "parts" | "faults"> {
  if (!parts || !tags) return { parts: [], faults: [] };
  return {
    parts: parts.scoped.map((budget) => budgetFor(budget, tags)).filter(({ per }) => isInScope(per, tags)),
    faults: parts.faults.filter(({ per }) => isInScope(per, tags)),
  };
}

type Judged = Pick<Terms, "limits" | "parts" | "faults">;

function hasHardStop({ limits, parts }: Judged): boolean {
  return limits.hardStop || parts.some(({ onReach }) => onReach === "stop");
}

/** Completions are recorded without a budget, too, and a task has a cap of its own. */
function isGuarded({ source }: PaidCall, { dayUsd, monthUsd }: Budgets): boolean {
  const hasBudget = dayUsd !== undefined || monthUsd !== undefined;
  return hasBudget || source?.kind === "completion" || source?.task !== undefined;
}

/**
 * The budget beyond which the user allows the call. Throws the refusal if the user does not. Nobody is asked about the cap
 * of a task.
 */
async function overdrawn(
  refused: Refused,
  call: PaidCall,
  most: Counted,
  answerTo: (budget: BudgetState) => Promise<OverdraftAnswer>,
): Promise<BudgetState> {
  if ("error" in refused) throw refused.error;
  if ((await answerTo(refused)) === "no") throw refusal(refused, call, most);
  return refused;
}

/** The budgets and the price by which a call is judged. */
interface Terms {
  readonly limits: Budgets;
  /** The budgets of parts of the calls that count the call. */
  readonly parts: readonly ScopedBudget[];
  /** The budgets that can't be read and may count it. */
  readonly faults: readonly BudgetFault[];
  readonly most: Counted;
  /** True if the service lists the price 0, so that nothing bounds what a call of it may use. */
  readonly isFree: boolean;
  /** True if the user has allowed it beyond this budget. */
  readonly isAllowed: (budget: BudgetState) => boolean;
}

type Refused = { readonly error: ApiError } | BudgetState;
type JudgeBudgets = (
  connection: Connection,
  terms: Terms,
  ...spent: Parameters<Judge<Refused>>
) => BudgetState | undefined;
type JudgeOf = (connection: Connection, call: PaidCall, terms: Terms) => Judge<Refused>;

function createAdmitAgain({ spend, budgets }: SpendGateDeps, judgeOf: JudgeOf): SpendGate["admitAgain"] {
  return async (connection, call, hold) => {
    const limits = withCaps(budgets(), call);
    const { task } = call.source ?? {};
    const hasParts =
      limits.parts !== undefined && limits.parts.scoped.length + limits.parts.faults.length > 0;
    if (!limits.hardStop && !hasParts && !task) return;
    const judgeFor = ({ most, tags }: Hold) => {
      const judged = { limits, ...concerning(limits, tags) };
      const isFree = most.sign === 0;
      const judge = judgeOf(connection, call, { ...judged, most, isFree, isAllowed: () => true });
      return (...spent: Parameters<typeof judge>) => {
        const refused = judge(...spent);
        if (refused) return "error" in refused ? refused.error : refusal(refused, call, most);
      };
    };
    const refused = await spend.judgeAgain(connection, hold, judgeFor, task).catch((error: unknown) => {
      throw notRecorded(error, task);
    });
    if (refused) throw refused;
  };
}

/**
 * Maximum cost of a call; undefined if it has none. A hard limit requires one; otherwise unknown costs are counted
 * afterwards.
 */
async function boundOf(call: PaidCall, known: Prices, mustBeBounded: boolean): Promise<Counted | undefined> {
  const listing = needsListing(call.price)
    ? known.models(modelOfInput(call.input)).catch((error: unknown) => {
        if (mustBeBounded) throw error;
        return new Map<string, Model>();
      })
    : new Map<string, Model>();
  const prices = await upperPricesOf(known, call, await listing);
  const most = upperUsd(call, prices);
  // Rounded as stored amounts are: float prices per million have errors after the twelfth digit.
  if (most !== undefined) return Counted.price(computedIn("USD", most));
  if (!mustBeBounded) return undefined;
  const short = { ...call, input: { ...call.input, max_completion_tokens: 1 } };
  const isUnbounded = isOfChat(call) && upperUsd(short, prices) !== undefined;
  const what = isUnbounded
    ? "the service lists no maximum length for an answer of this model"
    : "the service lists no price that bounds this call";
  const { task } = call.source ?? {};
  const details = task ? {} : ({ isForHardStop: true } as const);
  throw notSent(`${what}, and ${limitOf(task)}`, isUnbounded ? "unbounded" : "unpriced", details);
}

/** The limit that needs the bound and the record of a call. */
function limitOf(task: SpendTask | undefined): string {
  return task ? "the task has a cap" : "the budget is a hard stop";
}

function notRecorded(error: unknown, task: SpendTask | undefined): ApiError {
  const { code } = error as { readonly code?: unknown };
  const why = messageOf(error);
  const known = typeof code === "string" ? { code } : {};
  return notSent(`the spend can't be recorded (${why}), and ${limitOf(task)}`, "ledger", known);
}

function refusal(budget: BudgetState, call: PaidCall, most: Counted): ApiError {
  const { claimed, level, unit, name } = budget;
  const source = name === undefined ? "budget" : "task";
  const sum = `${countedText(budget)} is spent`;
  const others = `${moneyText(claimed.shownIn(unit))} more is reserved for calls in progress or of unknown price`;
  const facts = claimed.sign > 0 ? `${sum}, ${others}` : sum;
  const rule = ruleText(budget) && `. ${ruleText(budget).replace(/\.$/, "")}`;
  if (level === "spent") return notSent(`${budgetName(budget)} is used up: ${facts}${rule}`, source);
  const text = `this may cost ${moneyText(most.shownIn(unit))}, more than ${budgetName(budget)} has left`;
  return notSent(`${text}: ${facts}${rule}${adviceFor(call)}`, source);
}

/** A call of a subagent must fit into its share, too. */
function refusalOfTask(task: SpendTask, spent: TaskSpend, most: Counted): ApiError | undefined {
  const { capUsd, subagent } = task;
  const isOver = (limitUsd: number, { spent: sum, claimed }: TaskSpend) =>
    Counted.of(sum).plus(claimed).plus(most).exceeds(Counted.parse(limitUsd));
  if (isOver(capUsd, spent)) return capReached("the cap of the task", capUsd, spent, most);
  const { ofSubagent } = spent;
  if (!subagent || !ofSubagent || !isOver(subagent.capUsd, ofSubagent)) return undefined;
  return capReached("the subagent's share of the cap", subagent.capUsd, ofSubagent, most);
}

function capReached(what: string, capUsd: number, { spent, claimed }: TaskSpend, most: Counted): ApiError {
  const unit = unitOf(spent);
  const sum = `${spendText(countedPart(spent))} of ${moneyText(Counted.parse(capUsd).shownIn(unit))} is spent`;
  const reserved = `, and ${moneyText(claimed.shownIn(unit))} is reserved for calls in progress or of unknown price`;
  const next = `this may cost ${moneyText(most.shownIn(unit))}, more than ${what} has left`;
  return refusedTask("task", `${next}: ${sum}${claimed.sign > 0 ? reserved : ""}`);
}

function refusedTask(source: "task" | "limit", message: string): ApiError {
  return new ApiError("payment-required", message, { source, mayHaveArrived: false });
}

function adviceFor(call: PaidCall): string {
  if (call.price.by !== "tokens") return "";
  return isOfChat(call)
    ? ". A lower “Longest answer” reduces the cost"
    : ". A cheaper model or a shorter conversation reduces the cost";
}

/** The settings of the Inference chat do not apply to callers outside of it. */
function isOfChat({ price, source }: PaidCall): boolean {
  return price.by === "tokens" && (source === undefined || source.kind === "chat");
}

function notSent(
  message: string,
  source: PaymentSource = "budget",
  details: Pick<ApiErrorDetails, "code" | "isForHardStop"> = {},
): ApiError {
  return new ApiError("payment-required", message, { ...details, source, mayHaveArrived: false });
}

function orAborted<Value>(answer: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const abort = () =>
      reject(new ApiError("cancelled", "cancelled before it was sent", { mayHaveArrived: false }));
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
