import type { HideSecrets } from "../../language/environment/environments.ts";
import { units, type Value } from "../../language/parse/nodes.ts";
import type { RpcExpectation, RpcFailure } from "../../output/rpcOutput.ts";
import { scaled } from "../../output/scaled.ts";
import { hiddenText } from "../hideSecrets.ts";
import type { PlannedExpectation } from "../plan/plan.ts";
import type { Site } from "../plan/runPlan.ts";
import { type LineState, lineOfDefinition, type Round, resultInRound } from "../round.ts";
import {
  type Comparable,
  describe,
  fromDecodedList,
  fromJson,
  partAtStep,
  show,
  showNumber,
} from "./comparable.ts";
import { BrokenExpectation, difference, holds, numericOf } from "./compare.ts";
import {
  type CheckDeps,
  type CheckTask,
  eventMembers,
  MissingResult,
  maxErrorText,
  type OperandScope,
  operandOf,
} from "./operands.ts";
import { hintsOf, toOutcome } from "./outcome.ts";

/**
 * Checks the expectations of a cell against the results of a round. Never throws for an expectation: one that can't be
 * checked is broken. Marks the lines whose errors are expected.
 */
export async function checkExpectations(
  deps: CheckDeps,
  task: CheckTask,
  round: Round,
): Promise<readonly RpcExpectation[]> {
  const { plan, network } = task;
  const { notebook } = plan;
  if (plan.expectations.length === 0) return [];
  const evm = plan.checksWantEvm ? await deps.loadEvm() : undefined;
  const secrets = new Set<string>();
  const contexts = notebook.contexts({
    evm,
    head: undefined,
    resultOf(definition) {
      const found = resultInRound(deps, task, round, definition);
      if (found && notebook.isSecret(definition)) secrets.add(definition.text);
      return found;
    },
  });
  const addMembers = eventMembers(notebook, evm);
  return plan.expectations.map((planned) => {
    const { line, source } = planned;
    secrets.clear();
    const result = check({ deps, task, round, evm, contexts, addMembers, secrets }, planned);
    const [secret] = secrets;
    const said = secret === undefined ? hiddenResult(result, notebook.hide) : withheld(result, secret);
    return { network, line, source, ...said };
  });
}

/** A comparison with a secret says only its outcome: a part or a difference of it would tell of it. */
function withheld({ state }: Result, secret: string): Result {
  return {
    state,
    ...(state === "passed" ? {} : { reason: `$${secret} is a secret, whose value is not shown` }),
  };
}

/** A function may have been given a secret. */
function hiddenResult({ state, ...texts }: Result, hide: HideSecrets | undefined): Result {
  const hidden = Object.entries(texts).map(([key, text]) => [key, hiddenText(text, hide)]);
  return { state, ...Object.fromEntries(hidden) };
}

type Result = Pick<RpcExpectation, "state" | "expected" | "actual" | "difference" | "reason">;

function check(scope: OperandScope, planned: PlannedExpectation): Result {
  const { subject, operator, object } = planned.expectation;
  const site = { cell: scope.task.plan.cell, statement: planned.statement };
  try {
    if (operator.text === "error") return checkError(scope, planned, site);
    const actual = operandOf(scope, subject, site, planned);
    const expected: Comparable = object ? operandOf(scope, object, site, planned) : { kind: "null" };
    const isMet = holds(actual, operator.text, expected);
    const form: Form = { unit: decimalsOf(object), isNumber: expected.kind === "number" };
    const expectedText = object ? `${operator.text} ${showIn(expected, form)}` : "null";
    const facts = { expected: expectedText, actual: showIn(actual, form) };
    if (isMet) return { state: "passed", ...facts };
    const apart = differenceOf(actual, operator.text, expected, form);
    return { state: "failed", ...facts, ...(apart === undefined ? {} : { difference: apart }) };
  } catch (error) {
    if (error instanceof MissingResult)
      return { state: error.isUnsent ? "unchecked" : "failed", reason: error.message };
    if (error instanceof BrokenExpectation) return { state: "broken", reason: error.message };
    throw error;
  }
}

function checkError(scope: OperandScope, planned: PlannedExpectation, site: Site): Result {
  const { subject, object } = planned.expectation;
  const at = lineExpected(scope, planned, subject, site);
  const state = scope.round.lines[at];
  if (!state) throw new BrokenExpectation("There is no request above this line");
  const wanted = object && operandOf(scope, object, site, planned);
  const expected = wanted ? `error ${show(wanted)}` : "an error";
  const { outcome } = state;
  if (outcome.kind === "result")
    return { state: "failed", expected, actual: `the result ${show(fromJson(outcome.value))}` };
  if (outcome.kind !== "error")
    return {
      state: "unchecked",
      expected,
      reason: outcome.kind === "unsent" ? outcome.reason : "It was not sent",
    };
  const failure = explainedFailure(scope, at, state);
  const texts = textsOf(failure);
  const isMet =
    !wanted ||
    (wanted.kind === "number" ? holds(fromJson(failure.code), "==", wanted) : containsOne(texts, wanted));
  const actual = `error ${failure.code}: ${texts.join(", ").slice(0, maxErrorText)}`;
  if (!isMet) return { state: "failed", expected, actual };
  scope.round.lines[at] = { ...state, isExpected: true };
  return { state: "passed", expected, actual };
}

/** The line whose error is expected: that of a name, else the request above. */
function lineExpected(
  { task, round }: OperandScope,
  planned: PlannedExpectation,
  subject: Value,
  site: Site,
): number {
  if (subject.kind !== "reference") return planned.above ?? -1;
  const found = task.plan.notebook.definition(subject.name, site);
  const state = found?.cell === task.plan.cell ? lineOfDefinition(task.plan, round, found) : undefined;
  if (!state) throw new BrokenExpectation(`$${subject.name} is no request of this cell`);
  return round.lines.indexOf(state);
}

function explainedFailure({ task, evm }: OperandScope, at: number, state: LineState): RpcFailure {
  const explained = toOutcome(state.outcome, hintsOf(task.plan, at, state), evm, maxErrorText);
  return explained.kind === "error" ? explained : { kind: "error", code: 0, message: "" };
}

/** The message of the node, and the decoded error of the contract. */
function textsOf({ message, revert }: RpcFailure): readonly string[] {
  if (!revert) return [message];
  const values = fromDecodedList(revert.values);
  const args = revert.values.map((_, at) => show(partAt(values, at))).join(", ");
  return [message, `${revert.name}(${args})`, ...(revert.reason === undefined ? [] : [revert.reason])];
}

function partAt(values: Comparable, at: number): Comparable {
  return (values.kind === "list" ? values.item(at) : partAtStep(values, at)) ?? { kind: "null" };
}

function containsOne(texts: readonly string[], wanted: Comparable): boolean {
  if (wanted.kind !== "text")
    throw new BrokenExpectation(
      `An error is compared with its text or its code, not with ${describe(wanted)}`,
    );
  return texts.some((text) => text.includes(wanted.text));
}

/** The unit of the expected number, in which both sides are shown. */
function decimalsOf(value: Value | undefined): keyof typeof units | undefined {
  const unit = value?.kind === "number" ? value.unit?.text : undefined;
  return unit !== undefined && Object.hasOwn(units, unit) ? (unit as keyof typeof units) : undefined;
}

/** The format of both sides. Numbers are shown in the unit of the expected value. */
interface Form {
  readonly unit: keyof typeof units | undefined;
  readonly isNumber: boolean;
}

function showIn(value: Comparable, { unit, isNumber }: Form): string {
  const number = isNumber ? numericOf(value) : undefined;
  if (!number) return show(value);
  if (unit === undefined || number.scale > 0) return showNumber(number);
  const decimals = units[unit];
  return `${decimals === 0 ? number.digits : scaled(number.digits, decimals)} ${unit}`;
}

function differenceOf(
  actual: Comparable,
  operator: string,
  expected: Comparable,
  form: Form,
): string | undefined {
  if (operator === "!=" || operator === "contains" || operator === "matches" || operator === "is-null")
    return undefined;
  const [a, b] = [numericOf(actual), numericOf(expected)];
  if (a && b && (actual.kind === "number" || expected.kind === "number" || operator !== "==")) {
    const apart = difference(a, b);
    const text = showIn(apart, { ...form, isNumber: true });
    return apart.digits > 0n ? `+${text}` : text;
  }
  if (actual.kind !== "text" || expected.kind !== "text") return undefined;
  return `differs from character ${firstDifference(actual.text, expected.text) + 1}`;
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}
