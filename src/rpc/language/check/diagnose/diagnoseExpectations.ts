import { messageOf } from "../../../../shared/messageOf.ts";
import { similar } from "../../../../shared/text/similar.ts";
import type { EvmTools } from "../../encode/applyFunction.ts";
import { encodeValue } from "../../encode/encodeValue.ts";
import { compilePattern } from "../../parse/linearPattern.ts";
import {
  type Expectation,
  measures,
  type Placed,
  type Span,
  type Statement,
  type Value,
  valuesOf,
} from "../../parse/nodes.ts";
import type { LinesCell } from "../../parse/parseCell.ts";
import { numberProblem, scaledNumber } from "../../parse/tokens/numbers.ts";
import {
  definitionBefore,
  expectationsOf,
  indexOfStatement,
  type Project,
  requestsOf,
} from "../../project.ts";
import { staticContext } from "../contexts.ts";
import { fix, type Problem, problem } from "../problems.ts";

/** Expectations of a cell. Each is checked on each network. */
const maxExpectations = 200;

/** The problems of `expect` lines: operands that no result can be compared with. */
export function diagnoseExpectations(
  project: Project,
  index: number,
  cell: LinesCell,
  evm: EvmTools | undefined,
): Problem[] {
  const all = expectationsOf(cell);
  const firstRequest = requestsOf(cell)[0]?.offset ?? Number.POSITIVE_INFINITY;
  const extra = all[maxExpectations];
  const tooMany = extra
    ? [
        problem(
          spanOf(extra, extra.statement.subject),
          "value",
          `A cell can have at most ${maxExpectations} expectations`,
        ),
      ]
    : [];
  const found = all
    .slice(0, maxExpectations)
    .flatMap((placed) => [
      ...operandProblems(placed),
      ...objectProblems(placed),
      ...subjectProblems(project, index, cell, placed, firstRequest),
      ...functionProblems(project, index, cell, placed, evm),
    ]);
  return [...found, ...tooMany];
}

type PlacedExpectation = Placed<Statement & Expectation>;

function spanOf({ offset }: PlacedExpectation, { start, end }: Span): Span {
  return { start: offset + start, end: offset + end };
}

function operandProblems(placed: PlacedExpectation): Problem[] {
  const { statement } = placed;
  return valuesOf(statement).flatMap((value) => {
    const span = spanOf(placed, value);
    if (value.kind === "number" && value.unit && scaledNumber(value) === undefined)
      return [problem(span, "value", numberProblem(value))];
    const text = value.kind === "word" || value.kind === "signature" ? value.text : undefined;
    const isMeasure =
      value === statement.subject && (measures.some((one) => one === text) || text === "error");
    if (text === undefined || isMeasure) return [];
    const near = value === statement.subject ? similar(text.slice(0, 60), [...measures, "error"]) : [];
    const fixes = [
      fix("Write it in quotes", span, JSON.stringify(text)),
      ...near.map((one) => fix(`Use ${one}`, span, one)),
    ];
    const subjects = value === statement.subject ? ", $name for a result, or gas, cost or error" : "";
    return [problem(span, "value", `${text} is a word. Write text in quotes${subjects}`, { fixes })];
  });
}

const orders: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);

/** Types that have no order, by the kind of a written value. */
const noNumber: ReadonlyMap<Value["kind"], string> = new Map([
  ["literal", "no number"],
  ["array", "a list"],
  ["object", "an object"],
]);

function objectProblems(placed: PlacedExpectation): Problem[] {
  const { operator, object } = placed.statement;
  if (!object || object.kind === "missing") return [];
  const span = spanOf(placed, object);
  if (operator.text === "matches") return patternProblems(object, span);
  const isText = object.kind === "string" && !/^-?[\d.]+$|^0x[\da-f]+$/i.test(object.value);
  if (orders.has(operator.text) && (isText || noNumber.has(object.kind))) {
    const type = isText ? "text" : noNumber.get(object.kind);
    return [problem(span, "value", `${operator.text} compares numbers, and this is ${type}`)];
  }
  const isErrorKind = ["string", "number", "hex", "reference", "variable"].includes(object.kind);
  if (operator.text === "error" && !isErrorKind)
    return [problem(span, "value", "An error is compared with a part of its text, or with its code")];
  return [];
}

function patternProblems(object: Value, span: Span): Problem[] {
  if (object.kind === "reference") return [];
  if (object.kind !== "string")
    return [problem(span, "value", 'matches takes a pattern in quotes, such as "^0x[0-9a-f]+$"')];
  try {
    compilePattern(object.value);
    return [];
  } catch (error) {
    const reason = messageOf(error);
    return [problem(span, "value", `The pattern is invalid: ${reason}`)];
  }
}

function subjectProblems(
  project: Project,
  index: number,
  cell: LinesCell,
  placed: PlacedExpectation,
  firstRequest: number,
): Problem[] {
  const { subject, operator } = placed.statement;
  const span = spanOf(placed, subject);
  const needsRequest = subject.kind === "word" && (subject.text === "gas" || subject.text === "error");
  if (needsRequest && placed.offset < firstRequest)
    return [problem(span, "value", `${subject.text} needs a request above it in this cell`)];
  if (operator.text !== "error" || subject.kind !== "reference") return [];
  const found = definitionBefore(project, subject.name, index, indexOfStatement(cell, placed.offset));
  if (!found || (found.cell === index && !found.constant)) return [];
  return [
    problem(span, "value", `$${subject.name} is no request of this cell, so its error is not known here`),
  ];
}

function functionProblems(
  project: Project,
  index: number,
  cell: LinesCell,
  placed: PlacedExpectation,
  evm: EvmTools | undefined,
): Problem[] {
  const context = staticContext(project, index, indexOfStatement(cell, placed.offset), evm);
  return valuesOf(placed.statement).flatMap((value) =>
    value.kind === "apply"
      ? encodeValue(value, "json", context)
          .problems.filter(({ lacksVariable }) => !lacksVariable)
          .map(({ message, ...span }) => problem(spanOf(placed, span), "value", message))
      : [],
  );
}
