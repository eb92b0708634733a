import type { Param } from "../../../../shared/rpc/catalog/catalog.ts";
import { exactJsonText } from "../../../../shared/text/json/exactJson.ts";
import { plural } from "../../../../shared/text/plural.ts";
import { shortened } from "../../../../shared/text/shortened.ts";
import { similar } from "../../../../shared/text/similar.ts";
import { signatureItems } from "../../assist/completeNames.ts";
import { referencesIn } from "../../assist/references.ts";
import type { EvmTools } from "../../encode/applyFunction.ts";
import { maxUsed, requestsUsed } from "../../encode/constants.ts";
import {
  type EncodedRequest,
  encodeRequest,
  paramsOf,
  sugars,
  wireMethod,
} from "../../encode/encodeRequest.ts";
import { type EncodeContext, encodeValue } from "../../encode/encodeValue.ts";
import { hasEns } from "../../encode/ensNames.ts";
import { memo } from "../../memo.ts";
import type { Placed, Request, Span, Statement, Value } from "../../parse/nodes.ts";
import type { LinesCell } from "../../parse/parseCell.ts";
import {
  definitionOf,
  definitionsIn,
  directivesOf,
  indexOfStatement,
  isBefore,
  networksOfCell,
  type Project,
  requestsOf,
  textOf,
} from "../../project.ts";
import { checkValue } from "../checkValue.ts";
import { staticContext } from "../contexts.ts";
import { methodIssueOn } from "../methodRules.ts";
import { fix, type Problem, problem } from "../problems.ts";
import { diagnoseExpectations } from "./diagnoseExpectations.ts";

type PlacedRequest = Placed<Statement & Request>;

/** The problems of a cell of lines, before it is sent. */
export function diagnoseLines(project: Project, index: number, cell: LinesCell, evm?: EvmTools): Problem[] {
  const one = project.cells[index];
  if (!one) return [];
  const networks = networksOfCell(project, one);
  const allowed = new Set(
    directivesOf(cell, "allow").flatMap(({ statement }) => statement.args.flatMap(textOf)),
  );
  return [
    ...syntax(cell),
    ...names(project, index, cell),
    ...requestsOf(cell).flatMap((request) => [
      ...methodProblems(request, networks, allowed),
      ...parameterProblems(project, index, cell, request, networks, evm),
    ]),
    ...diagnoseExpectations(project, index, cell, evm),
  ];
}

function syntax({ statements }: LinesCell): Problem[] {
  return statements.flatMap(({ offset, statement }) =>
    statement.problems.map(({ start, end, message }) =>
      problem({ start: offset + start, end: offset + end }, "syntax", message),
    ),
  );
}

function names(project: Project, index: number, cell: LinesCell): Problem[] {
  return referencesIn(cell).flatMap(({ name, start, end, statement }) => {
    const found = definitionOf(project, name, index, statement);
    const span = { start, end };
    if (!found) {
      return name === ""
        ? []
        : [
            problem(span, "unknown-name", unknownName(name), {
              fixes: similar(name.slice(0, 60), namesAbove(project, index, statement)).map((near) =>
                fix(`Use $${near}`, span, near),
              ),
            }),
          ];
    }
    if (isBefore(found, index, statement)) return [];
    return [problem(span, "later-name", `${name} is defined below, so it has no value here yet`)];
  });
}

function unknownName(name: string): string {
  if (/^[A-Za-z_]/.test(name)) return `The name ${name} is not defined. Write ${name} = … above`;
  return "Results have no numbers. Name one by a word, as in block = … above, and write $block here";
}

/** The names that are defined above a statement: at most the nearest 500. */
function namesAbove(project: Project, index: number, statement: number): readonly string[] {
  const all = project.cells
    .slice(0, index + 1)
    .flatMap((_, at) => definitionsIn(project, at))
    .filter((definition) => isBefore(definition, index, statement));
  return [...new Set(all.slice(-500).map(({ text }) => text))];
}

function methodProblems(
  { offset, statement }: PlacedRequest,
  networks: readonly string[],
  allowed: ReadonlySet<string>,
): Problem[] {
  const { text } = statement.method;
  if (text === "") return [];
  const span = placed(offset, statement.method);
  const issue = methodIssueOn(wireMethod(text), networks, allowed);
  if (!issue) return [];
  const whole = { start: span.start, end: offset + statement.end };
  const fixes = issue.replacements.map(({ title, method, params, polls }) => {
    const edit =
      params === undefined ? { ...span, text: method } : { ...whole, text: `${method} ${params}`.trimEnd() };
    const every = { start: offset, end: offset, text: "@every 12s\n@times 10\n" };
    return { title, edits: polls ? [every, edit] : [edit] };
  });
  const allow = {
    title: `Send ${text} Anyway`,
    edits: [{ start: 0, end: 0, text: `@allow ${text}\n` }],
  };
  return [
    problem(span, issue.code, issue.message, {
      severity: issue.refuses ? "error" : "warning",
      refuses: issue.refuses,
      ...(issue.refuses ? { refusedMethod: wireMethod(text) } : {}),
      fixes: issue.code === "unlisted" ? [...fixes, allow] : fixes,
    }),
  ];
}

function parameterProblems(
  project: Project,
  index: number,
  cell: LinesCell,
  { offset, statement }: PlacedRequest,
  networks: readonly string[],
  evm: EvmTools | undefined,
): Problem[] {
  const params = paramsOf(statement.method.text);
  const own = indexOfStatement(cell, offset);
  const context = staticContext(project, index, own, evm);
  const request = encodeRequest(statement, context);
  // Variables of the line itself are checked by diagnoseVariables.
  const encodingProblems = request.problems
    .filter(({ lacksVariable }) => !lacksVariable)
    .map(({ message, ...span }) => problem(placed(offset, span), "value", message));
  const unknown = unknownSignature(project, offset, statement, request);
  if (unknown) return [unknown];
  if (requestsUsed(project, index, own, statement.args).length > maxUsed) {
    const message = `A line can use the results of at most ${maxUsed} other lines, including those of constants`;
    encodingProblems.push(problem(placed(offset, statement.method), "value", message));
  }
  if (request.leavesOut) {
    const message = "This line is not checked before it runs, because the notebook is too large";
    encodingProblems.push(
      problem(placed(offset, statement.method), "size", message, { severity: "hint", refuses: false }),
    );
  }
  const [name] = request.names;
  const without = name === undefined ? undefined : networks.find((network) => !hasEns(network));
  if (without !== undefined) {
    const message = `${name} can't be resolved on ${without}: ENS names are of the ethereum networks. Write the address`;
    encodingProblems.push(problem(placed(offset, statement.method), "value", message));
  }
  if (!params) return encodingProblems;
  return [
    ...encodingProblems,
    ...arity(offset, statement, params.filter(({ optional }) => !optional).length, params.length, params),
    ...optionProblems(offset, statement),
    ...statement.args.flatMap((arg, at) => {
      const type = params[at]?.type;
      if (!type || arg.kind === "option" || sugars.has(statement.method.text)) {
        return type && at === 0 && arg.kind !== "option" ? checkArg(offset, arg, type, context) : [];
      }
      return checkArg(offset, arg, type, context);
    }),
  ];
}

/** A bare name of a function or an event that nothing declares: the message lists those that can be meant. */
function unknownSignature(
  project: Project,
  offset: number,
  { method, args }: Request,
  { decoding }: Pick<EncodedRequest, "decoding">,
): Problem | undefined {
  const [, named] = args.filter(({ kind }) => kind !== "option");
  const isName = named?.kind === "word" && decoding?.signature === named.text;
  if (!isName || (method.text !== "call" && method.text !== "logs")) return undefined;
  const kind = method.text === "call" ? "function" : "event";
  const span = placed(offset, named);
  const known = signatureItems(project, kind).map(({ label, detail }) =>
    label.includes("(") ? label : (detail ?? label),
  );
  const meant = known.filter((one) => one.split("(")[0]?.toLowerCase() === named.text.toLowerCase());
  const listed = meant.length > 0 ? meant : known.slice(0, mostListed);
  const message = `${named.text} is no ${kind} that this notebook declares. Write it with its types, such as ${listed.join(", ")}, or declare it with @abi`;
  return problem(span, "value", message, { fixes: meant.map((one) => fix(`Use ${one}`, span, one)) });
}

const mostListed = 5;

function checkArg(
  offset: number,
  arg: Value,
  type: Parameters<typeof checkValue>[1],
  context: EncodeContext,
): Problem[] {
  const { value } = encodeValue(arg, type, context);
  // null matches any contract: `logs _ …`.
  if (value === null) return [];
  return checkValue(value, type).map(({ path, message, instead }) => {
    const span = placed(offset, spanAt(arg, path));
    const fixes = instead === undefined ? [] : [writeFix(span, textFor(instead))];
    return problem(span, "value", message, { refuses: false, fixes });
  });
}

function writeFix(span: Span, text: string) {
  return fix(`Write ${shortened(text, 80)}`, span, text);
}

function textFor(value: unknown): string {
  return typeof value === "string" ? value : exactJsonText(value);
}

function arity(
  offset: number,
  { method, args }: Request,
  least: number,
  most: number,
  params: readonly Param[],
): Problem[] {
  const given = args.filter(({ kind }) => kind !== "option").length;
  const isOpen = method.text === "call" || method.text === "logs";
  const lacking = params.slice(given, least);
  if (lacking.length > 0) {
    const end = offset + (args.at(-1)?.end ?? method.end);
    return [missingParameters(placed(offset, method), end, method.text, lacking, { least, most })];
  }
  const extra = isOpen ? undefined : args[most];
  if (!extra || given <= most) return [];
  const message = `${method.text} takes ${most === 0 ? "no parameters" : `at most ${plural(most, "parameter")}`}`;
  const span = { start: offset + extra.start, end: offset + (args.at(-1)?.end ?? extra.end) };
  return [problem(span, "arity", message, { refuses: false, fixes: [fix("Remove it", span, "")] })];
}

function missingParameters(
  span: Span,
  end: number,
  method: string,
  lacking: readonly Param[],
  { least, most }: { readonly least: number; readonly most: number },
): Problem {
  const isBlock = lacking.length === 1 && lacking[0]?.type === "block";
  const fixes = isBlock ? [fix("Add latest", { start: end, end }, " latest")] : [];
  const names = lacking.map(({ name }) => name).join(", ");
  const count = `${least === most ? least : `at least ${least}`} parameter${least === 1 ? "" : "s"}`;
  const message = `${method} takes ${count}; missing: ${names}`;
  return problem(span, "arity", message, { refuses: false, fixes });
}

function optionProblems(offset: number, { method, args }: Request): Problem[] {
  const known = sugars.get(method.text)?.options ?? [];
  return args.flatMap((arg) => {
    if (arg.kind !== "option" || known.includes(arg.name.text)) return [];
    const list =
      known.length > 0 ? `Its options are ${known.map((name) => `${name}:`).join(" ")}` : "It has no options";
    return [
      problem(placed(offset, arg.name), "option", `${method.text} has no option ${arg.name.text}. ${list}.`, {
        fixes: similar(arg.name.text.slice(0, 60), known).map((near) =>
          fix(`Use ${near}:`, placed(offset, arg.name), near),
        ),
      }),
    ];
  });
}

/** The members of an object by name. The last one with a name wins, as in the encoded value. */
const membersOf = memo(
  ({ members }: Extract<Value, { kind: "object" }>): ReadonlyMap<string, Value> =>
    new Map(members.map(({ key, value }) => [key.text, value])),
);

/** The span of a part of a value, or of the innermost part that is in the source. */
function spanAt(value: Value, path: readonly (string | number)[]): Span {
  let at = value;
  for (const step of path) {
    const inner =
      at.kind === "object"
        ? membersOf(at).get(String(step))
        : at.kind === "array" && typeof step === "number"
          ? at.items[step]
          : undefined;
    if (!inner) return at;
    at = inner;
  }
  return at;
}

function placed(offset: number, { start, end }: Span): Span {
  return { start: offset + start, end: offset + end };
}
