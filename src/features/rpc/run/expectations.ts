import { scaled } from "../../../shared/rpc/scaled.ts";
import type { RpcExpectation, RpcFailure } from "../../../shared/rpcOutput.ts";
import type { Evm } from "../evm/evm.ts";
import { nestingOfConstant } from "../language/constants.ts";
import { type Contexts, createContexts } from "../language/contexts.ts";
import { declaredIn, functionsIn } from "../language/declarations.ts";
import { encodeRequest, type ResultDecoding } from "../language/encodeRequest.ts";
import { encodeValue } from "../language/encodeValue.ts";
import { useVariable } from "../language/environments.ts";
import { type Expectation, units, type Value } from "../language/nodes.ts";
import { numberProblem, scaledNumber } from "../language/numbers.ts";
import {
  type Definition,
  definitionBefore,
  type Project,
  variableOfCell,
  withoutSecrets,
} from "../language/project.ts";
import type { PlannedExpectation } from "../plan.ts";
import {
  type AddMembers,
  BrokenExpectation,
  type Comparable,
  describe,
  difference,
  fromDecoded,
  fromDecodedList,
  fromJson,
  holds,
  numberOf,
  numericOf,
  parseDecimal,
  partAtStep,
  show,
  showNumber,
} from "./comparable.ts";
import { eventsIn, toOutcome } from "./outcome.ts";
import {
  type LineState,
  lineOfDefinition,
  type Round,
  type RoundDeps,
  type RoundTask,
  resultInRound,
  wantsEvm,
} from "./round.ts";

type CheckTask = Pick<RoundTask, "project" | "cell" | "plan" | "network">;
type CheckDeps = Pick<RoundDeps, "values" | "loadEvm">;

/** Deeper than any real constant. Limits the recursion. */
const maxNesting = 200;

/**
 * Checks the expectations of a cell against the results of a round. Never throws for an expectation: one that can't be
 * checked is broken. Marks the lines whose errors are expected.
 */
export async function checkExpectations(
  deps: CheckDeps,
  task: CheckTask,
  round: Round,
): Promise<readonly RpcExpectation[]> {
  const { project, cell, plan, network } = task;
  if (plan.expectations.length === 0) return [];
  const usesEvents = plan.expectations.some(({ source }) => /\b(event|args|error)\b/.test(source));
  const evm = usesEvents || wantsEvm(task) ? await deps.loadEvm() : undefined;
  const contexts = createContexts(project, {
    evm,
    head: undefined,
    resultOf: (definition) => resultInRound(deps, task, round, definition),
  });
  const scope: Scope = { deps, task, round, evm, contexts, addMembers: eventMembers(project, evm) };
  const one = project.cells[cell]?.cell;
  return plan.expectations.map((planned) => {
    const { line, source } = planned;
    const statement = one?.form === "lines" ? one.statements[planned.statement]?.statement : undefined;
    const result: Result =
      statement?.kind === "expect"
        ? check(scope, planned, statement)
        : { state: "broken", reason: "The line is no expectation" };
    return { network, line, source, ...hiddenResult(project, result) };
  });
}

/** A function may have been given a secret. */
function hiddenResult(project: Project, { state, ...texts }: Result): Result {
  const hidden = Object.entries(texts).map(([key, text]) => [key, withoutSecrets(project, text)]);
  return { state, ...Object.fromEntries(hidden) };
}

interface Scope {
  readonly deps: CheckDeps;
  readonly task: CheckTask;
  readonly round: Round;
  readonly evm: Evm | undefined;
  readonly contexts: Contexts;
  readonly addMembers: AddMembers;
}

/** The statement whose names are resolved. */
interface Site {
  readonly cell: number;
  readonly statement: number;
}

type Result = Pick<RpcExpectation, "state" | "expected" | "actual" | "difference" | "reason">;

/** A name without a result: the check fails, and is not broken. */
class MissingResult extends Error {}

function check(scope: Scope, planned: PlannedExpectation, expectation: Expectation): Result {
  const { subject, operator, object } = expectation;
  const site = { cell: scope.task.cell, statement: planned.statement };
  try {
    if (operator.text === "error") return checkError(scope, planned, expectation, site);
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
    if (error instanceof MissingResult) return { state: "failed", reason: error.message };
    if (error instanceof BrokenExpectation) return { state: "broken", reason: error.message };
    throw error;
  }
}

function checkError(
  scope: Scope,
  planned: PlannedExpectation,
  { subject, object }: Expectation,
  site: Site,
): Result {
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
      state: "failed",
      expected,
      reason: outcome.kind === "unsent" ? outcome.reason : "It was not sent",
    };
  const failure = explainedFailure(scope, at, state);
  const texts = textsOf(failure);
  const isMet =
    !wanted ||
    (wanted.kind === "number"
      ? holds(numberOf(BigInt(failure.code)), "==", wanted)
      : containsOne(texts, wanted));
  const actual = `error ${failure.code}: ${texts.join(", ").slice(0, maxErrorText)}`;
  if (!isMet) return { state: "failed", expected, actual };
  scope.round.lines[at] = { ...state, isExpected: true };
  return { state: "passed", expected, actual };
}

const maxErrorText = 500;

/** The line whose error is expected: that of a name, else the request above. */
function lineExpected(
  { task, round }: Scope,
  planned: PlannedExpectation,
  subject: Value,
  site: Site,
): number {
  if (subject.kind !== "reference") return planned.above ?? -1;
  const found = definitionBefore(task.project, subject.name, site.cell, site.statement);
  const state = found?.cell === task.cell ? lineOfDefinition(task.plan, round, found) : undefined;
  if (!state) throw new BrokenExpectation(`$${subject.name} is no request of this cell`);
  return round.lines.indexOf(state);
}

function explainedFailure({ task, evm }: Scope, at: number, { outcome, decoding }: LineState): RpcFailure {
  const { project, plan } = task;
  const method = plan.lines[at]?.method ?? "";
  const hints = { method, decoding, declared: declaredIn(project), functions: functionsIn(project) };
  const explained = toOutcome(outcome, hints, evm, maxErrorText);
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

function operandOf(scope: Scope, value: Value, site: Site, planned: PlannedExpectation): Comparable {
  switch (value.kind) {
    case "number":
      return numberOperand(value);
    case "string":
      return { kind: "text", text: value.value };
    case "hex":
      return { kind: "text", text: value.text };
    case "literal":
      return value.value === null ? { kind: "null" } : { kind: "boolean", value: value.value };
    case "reference":
      return referenceOperand(scope, value, site, planned);
    case "array": {
      const { items } = value;
      const item = (at: number) => operandOf(scope, items[at] ?? missing, site, planned);
      return { kind: "list", length: items.length, item };
    }
    case "object": {
      const members = new Map(value.members.map((one) => [one.key.text, one.value]));
      const member = (name: string) => {
        const found = members.get(name);
        return found && operandOf(scope, found, site, planned);
      };
      return { kind: "object", names: [...members.keys()], member };
    }
    case "variable":
      return variableOperand(scope, value, site, planned);
    case "apply":
      return appliedOperand(scope, value, site);
    case "word":
      return measureOperand(scope, value.text, planned);
    default:
      throw new BrokenExpectation("A value is missing");
  }
}

const missing: Value = { kind: "missing", start: 0, end: 0 };

function numberOperand(value: Extract<Value, { kind: "number" }>): Comparable {
  const plain = value.unit ? scaledNumber(value) : undefined;
  const operand = value.unit
    ? plain !== undefined && parseDecimal(String(plain))
    : parseDecimal(value.text.replaceAll("_", ""));
  if (!operand) throw new BrokenExpectation(numberProblem(value));
  return operand;
}

function variableOperand(
  scope: Scope,
  { name, unit, start, end }: Extract<Value, { kind: "variable" }>,
  site: Site,
  planned: PlannedExpectation,
): Comparable {
  const found = variableOfCell(scope.task.project, site.cell, name);
  const used = found && useVariable(found, name, unit);
  if (!found || !used) throw new BrokenExpectation(`{{${name}}} has no value`);
  if ("problem" in used) throw new BrokenExpectation(used.problem);
  if ("variable" in found && found.variable.isSecret)
    throw new BrokenExpectation(`{{${name}}} is a secret, which results don't contain`);
  return operandOf(scope, { ...used.literal, start, end }, site, planned);
}

function appliedOperand({ contexts }: Scope, value: Value, { cell, statement }: Site): Comparable {
  const encoded = encodeValue(value, "json", contexts(cell, statement));
  const [problem] = encoded.problems;
  if (problem) throw new BrokenExpectation(problem.message);
  if (encoded.waitsFor[0] !== undefined) throw new MissingResult(`$${encoded.waitsFor[0]} has no result`);
  if (!encoded.isKnown) throw new BrokenExpectation("The value of this function is not known");
  return fromJson(encoded.value);
}

/** `gas` of the request above, `cost` of the cell in credits. */
function measureOperand({ round }: Scope, word: string, { above }: PlannedExpectation): Comparable {
  if (word === "cost") {
    const credits = round.calls.reduce((sum, call) => sum + (call.replayed ? 0 : (call.credits ?? 0)), 0);
    return numberOf(BigInt(Math.round(credits)));
  }
  if (word !== "gas") throw new BrokenExpectation(`${word} is a word. Write text in quotes`);
  const outcome = round.lines[above ?? -1]?.outcome;
  if (outcome?.kind !== "result") throw new MissingResult("The request above has no result");
  const result = fromJson(outcome.value);
  const gas = numericOf(result.kind === "object" ? (result.member("gasUsed") ?? { kind: "null" }) : result);
  if (!gas)
    throw new BrokenExpectation(
      "The request above returned no gas. It is that of eth_estimateGas, and gasUsed of a receipt",
    );
  return gas;
}

function referenceOperand(
  scope: Scope,
  { name, path }: Extract<Value, { kind: "reference" }>,
  site: Site,
  planned: PlannedExpectation,
): Comparable {
  const { project } = scope.task;
  const found = definitionBefore(project, name, site.cell, site.statement);
  if (!found) throw new BrokenExpectation(`The name ${name} is not defined above`);
  if (found.constant && nestingOfConstant(project, found.constant) > maxNesting)
    throw new BrokenExpectation(`The value of $${name} is nested too deep`);
  const whole = found.constant
    ? operandOf(scope, found.constant, found, planned)
    : resultOperand(scope, found, path);
  return path.reduce<Comparable>((value, step) => {
    const part = partAtStep(value, step);
    if (!part) throw new BrokenExpectation(`$${name} has no ${step}: it is ${describe(value)}`);
    return part;
  }, whole);
}

/** The result of a request: decoded if its line names a function. */
function resultOperand(scope: Scope, definition: Definition, path: readonly (string | number)[]): Comparable {
  const { deps, task, round, evm, addMembers } = scope;
  const { text } = definition;
  const found = resultInRound(deps, task, round, definition);
  const state = definition.cell === task.cell ? lineOfDefinition(task.plan, round, definition) : undefined;
  if (!found) throw new MissingResult(`$${text} has no result${state ? reasonOf(state) : ""}`);
  const { result } = found;
  const decoding = state?.decoding ?? decodingOf(scope, definition);
  if (decoding?.by !== "call" || typeof result !== "string") return fromJson(result, addMembers);
  const values = evm?.decodeCallResult(decoding.signature, result);
  const [first] = values ?? [];
  if (!values || !first)
    throw new MissingResult(
      `$${text} is ${show(fromJson(result))}, which ${decoding.signature.slice(0, maxErrorText)} does not return. Is its contract on this network?`,
    );
  return values.length === 1 && !(first.name !== "" && path[0] === first.name)
    ? fromDecoded(first)
    : fromDecodedList(values);
}

function reasonOf({ outcome }: LineState): string {
  if (outcome.kind === "error") return `: error ${outcome.code}: ${outcome.message.slice(0, maxErrorText)}`;
  return outcome.kind === "unsent" ? `: ${outcome.reason}` : "";
}

/** The decoding of a request in another cell. */
function decodingOf({ task, contexts }: Scope, { cell, statement }: Definition): ResultDecoding | undefined {
  const one = task.project.cells[cell]?.cell;
  const found = one?.form === "lines" ? one.statements[statement]?.statement : undefined;
  return found?.kind === "request" ? encodeRequest(found, contexts(cell, statement)).decoding : undefined;
}

/** A log has its decoded `event` and `args` besides the members of the node. */
function eventMembers(project: CheckTask["project"], evm: Evm | undefined): AddMembers {
  return ({ topics, data }) => {
    const isLog = Array.isArray(topics) && topics.every((one) => typeof one === "string");
    const log =
      evm && isLog && typeof data === "string"
        ? evm.decodeLog({ topics, data }, eventsIn(declaredIn(project)))
        : undefined;
    if (!log) return new Map();
    return new Map<string, Comparable>([
      ["event", { kind: "text", text: log.name }],
      ["args", fromDecodedList(log.values)],
    ]);
  };
}

/** The unit of the expected number, in which both sides are shown. */
function decimalsOf(value: Value | undefined): keyof typeof units | undefined {
  const unit = value?.kind === "number" ? value.unit?.text : undefined;
  return unit !== undefined && Object.hasOwn(units, unit) ? (unit as keyof typeof units) : undefined;
}

/** How both sides are shown: as numbers if the expected value is one, and in its unit. */
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
