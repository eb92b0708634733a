// The operands of expectations: values of the notebook, results and measures of a round.
import type { Evm } from "../../evm/evm.ts";
import type { Contexts } from "../../language/check/contexts.ts";
import { encodeRequest, type ResultDecoding } from "../../language/encode/encodeRequest.ts";
import { encodeValue } from "../../language/encode/encodeValue.ts";
import { useVariable } from "../../language/environment/environments.ts";
import type { Value } from "../../language/parse/nodes.ts";
import { numberProblem, scaledNumber } from "../../language/parse/tokens/numbers.ts";
import type { Definition } from "../../language/project.ts";
import type { PlannedExpectation } from "../plan/plan.ts";
import type { NotebookPlan, Site } from "../plan/runPlan.ts";
import {
  type LineState,
  lineOfDefinition,
  type Round,
  type RoundDeps,
  type RoundTask,
  resultInRound,
} from "../round.ts";
import {
  type AddMembers,
  type Comparable,
  describe,
  fromDecoded,
  fromDecodedList,
  fromJson,
  numberOf,
  parseDecimal,
  partAtStep,
  show,
} from "./comparable.ts";
import { BrokenExpectation, numericOf } from "./compare.ts";
import { eventsIn } from "./outcome.ts";

export type CheckTask = Pick<RoundTask, "plan" | "network">;
export type CheckDeps = Pick<RoundDeps, "values" | "loadEvm">;

/** Deeper than any real constant. Limits the recursion. */
const maxNesting = 200;
/** Characters of a node's message in a reason. */
export const maxErrorText = 500;

/** The sources of the operands of one cell on one network. */
export interface OperandScope {
  readonly deps: CheckDeps;
  readonly task: CheckTask;
  readonly round: Round;
  readonly evm: Evm | undefined;
  readonly contexts: Contexts;
  readonly addMembers: AddMembers;
  /** The names of the secrets among the results that it used. */
  readonly secrets: Set<string>;
}

/** A name without a result: the check fails, and is not broken. If it was not sent, nothing is checked. */
export class MissingResult extends Error {
  readonly isUnsent: boolean;

  constructor(message: string, state?: LineState) {
    super(message);
    this.isUnsent = state?.outcome.kind === "unsent" || state?.outcome.kind === "waiting";
  }
}

/** The value of an operand. Throws BrokenExpectation or MissingResult. */
export function operandOf(
  scope: OperandScope,
  value: Value,
  site: Site,
  planned: PlannedExpectation,
): Comparable {
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
      // Kept, because a list is searched with the same parts for each of its items.
      const known: Comparable[] = [];
      const item = (at: number) => {
        known[at] ??= operandOf(scope, items[at] ?? missing, site, planned);
        return known[at];
      };
      return { kind: "list", length: items.length, item };
    }
    case "object": {
      const members = new Map(value.members.map((one) => [one.key.text, one.value]));
      const known = new Map<string, Comparable>();
      const member = (name: string) => {
        const found = members.get(name);
        const part = known.get(name) ?? (found && operandOf(scope, found, site, planned));
        if (part) known.set(name, part);
        return part;
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
  scope: OperandScope,
  { name, unit, start, end }: Extract<Value, { kind: "variable" }>,
  site: Site,
  planned: PlannedExpectation,
): Comparable {
  const found = scope.contexts(site.cell, site.statement).variable(name);
  const used = found && useVariable(found, name, unit);
  if (!found || !used) throw new BrokenExpectation(`{{${name}}} has no value`);
  if ("problem" in used) throw new BrokenExpectation(used.problem);
  if ("variable" in found && found.variable.isSecret)
    throw new BrokenExpectation(`{{${name}}} is a secret, which results don't contain`);
  return operandOf(scope, { ...used.literal, start, end }, site, planned);
}

function appliedOperand({ contexts }: OperandScope, value: Value, { cell, statement }: Site): Comparable {
  const encoded = encodeValue(value, "json", contexts(cell, statement));
  const [problem] = encoded.problems;
  if (problem) throw new BrokenExpectation(problem.message);
  if (encoded.waitsFor[0] !== undefined) throw new MissingResult(`$${encoded.waitsFor[0]} has no result`);
  if (!encoded.isKnown) throw new BrokenExpectation("The value of this function is not known");
  return fromJson(encoded.value);
}

/** `gas` of the request above, `cost` of the cell in credits. */
function measureOperand(
  { round, task }: OperandScope,
  word: string,
  { above }: PlannedExpectation,
): Comparable {
  if (word === "cost") {
    const credits = round.calls.reduce((sum, call) => sum + (call.replayed ? 0 : (call.credits ?? 0)), 0);
    return numberOf(BigInt(Math.round(credits)));
  }
  if (word !== "gas") throw new BrokenExpectation(`${word} is a word. Write text in quotes`);
  const state = round.lines[above ?? -1];
  const outcome = state?.outcome;
  if (outcome?.kind !== "result") throw new MissingResult("The request above has no result", state);
  const result = fromJson(outcome.value);
  // Other numbers, such as the result of a call, are no gas.
  const isEstimate = /estimateGas/i.test(task.plan.lines[above ?? -1]?.method ?? "");
  const used = result.kind === "object" ? result.member("gasUsed") : isEstimate ? result : undefined;
  const gas = used && numericOf(used);
  if (!gas)
    throw new BrokenExpectation(
      "The request above returned no gas. It is that of eth_estimateGas, and gasUsed of a receipt",
    );
  return gas;
}

function referenceOperand(
  scope: OperandScope,
  { name, path }: Extract<Value, { kind: "reference" }>,
  site: Site,
  planned: PlannedExpectation,
): Comparable {
  const { notebook } = scope.task.plan;
  const found = notebook.definition(name, site);
  if (!found) throw new BrokenExpectation(`The name ${name} is not defined above`);
  if (found.constant && notebook.nesting(found.constant) > maxNesting)
    throw new BrokenExpectation(`The value of $${name} is nested too deep`);
  const whole = found.constant
    ? operandOf(scope, found.constant, found, planned)
    : resultOperand(scope, found, path);
  return path.reduce<Comparable>((value, step, at) => {
    const part = partAtStep(value, step);
    if (part) return part;
    const meant = `$${name}${path.slice(0, at).map(stepText).join("")}`;
    throw new BrokenExpectation(`${meant} has no ${step}: it is ${describe(value)}`);
  }, whole);
}

/** A step as it is written: `[0]` or `.delta`. */
function stepText(step: string | number): string {
  return typeof step === "number" ? `[${step}]` : `.${step}`;
}

/** The result of a request: decoded if its line names a function. */
function resultOperand(
  scope: OperandScope,
  definition: Definition,
  path: readonly (string | number)[],
): Comparable {
  const { deps, task, round, evm, addMembers } = scope;
  const { text } = definition;
  const found = resultInRound(deps, task, round, definition);
  const state =
    definition.cell === task.plan.cell ? lineOfDefinition(task.plan, round, definition) : undefined;
  if (!found) throw new MissingResult(`$${text} has no result${state ? reasonOf(state) : ""}`, state);
  if (task.plan.notebook.isSecret(definition)) scope.secrets.add(text);
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
function decodingOf(
  { contexts }: OperandScope,
  { cell, statement, request }: Definition,
): ResultDecoding | undefined {
  return request && encodeRequest(request, contexts(cell, statement)).decoding;
}

/** A log has its decoded `event` and `args` besides the members of the node. */
export function eventMembers({ declared }: NotebookPlan, evm: Evm | undefined): AddMembers {
  return ({ topics, data }) => {
    const isLog = Array.isArray(topics) && topics.every((one) => typeof one === "string");
    const log =
      evm && isLog && typeof data === "string"
        ? evm.decodeLog({ topics, data }, eventsIn(declared))
        : undefined;
    if (!log) return new Map();
    return new Map<string, Comparable>([
      ["event", { kind: "text", text: log.name }],
      ["args", fromDecodedList(log.values)],
    ]);
  };
}
