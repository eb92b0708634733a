import { writesToChain } from "../../../../shared/rpc/catalog/catalog.ts";
import { similar } from "../../../../shared/text/similar.ts";
import { wireMethod } from "../../encode/encodeRequest.ts";
import { isEnvironmentName } from "../../environment/envFile.ts";
import { secretProblem } from "../../environment/secretResults.ts";
import {
  defaultTimes,
  directives,
  leastEveryMs,
  lookUpKinds,
  maxTimes,
  pollingOf,
  watchesLogs,
} from "../../parse/directives.ts";
import { durations, type Placed, type Value } from "../../parse/nodes.ts";
import type { Cell, LinesCell } from "../../parse/parseCell.ts";
import {
  type Directive,
  directivesIn,
  directivesOf,
  type Project,
  requestsOf,
  textOf,
} from "../../project.ts";
import { readGives } from "../gives.ts";
import { fix, type Problem, problem } from "../problems.ts";

const durationWords = Object.keys(durations);

/** The problems of directives (lines that start with @). */
export function diagnoseDirectives(project: Project, cell: Cell, index: number): Problem[] {
  if (cell.form === "literal") return directivesIn(cell.above).flatMap(diagnoseAbove);
  const own = directivesIn(cell.statements);
  return [
    ...own.flatMap(diagnoseDirective),
    ...fileProblems(project, cell),
    ...pollingProblems(cell),
    ...secretProblems(cell),
    ...giveProblems(project, cell, index),
  ];
}

/** JSON-RPC is sent once and unchanged, so other directives have no effect. */
const aboveJson: readonly string[] = ["network", "view", "allow", "idempotency"];

function diagnoseAbove(placed: Placed<Directive>): Problem[] {
  const { word } = placed.statement;
  if (aboveJson.includes(word.text) || !directives.has(word.text)) return diagnoseDirective(placed);
  const span = { start: placed.offset + word.start, end: placed.offset + word.end };
  const known = aboveJson.map((name) => `@${name}`).join(", ");
  return [problem(span, "directive", `Above JSON-RPC only ${known} are possible, not @${word.text}`)];
}

function diagnoseDirective({ offset, statement }: Placed<Directive>): Problem[] {
  const { word, args } = statement;
  if (word.text === "") return [];
  const span = { start: offset + word.start, end: offset + word.end };
  const messageOf = messages.get(word.text);
  if (!messageOf) {
    const known = [...directives.keys()].map((name) => `@${name}`);
    const near = similar(word.text.slice(0, 40), [...directives.keys()]);
    const fixes = near.map((name) => fix(`Use @${name}`, span, name));
    return [
      problem(span, "directive", `There is no directive @${word.text}. Use ${known.join(", ")}.`, { fixes }),
    ];
  }
  const message = messageOf(args);
  if (!message) return [];
  const whole = { start: span.start, end: offset + (args.at(-1)?.end ?? word.end) };
  // The message contains an example of the correct form.
  const example = /: @(.*)$/.exec(message)?.[1] ?? choiceFor(word.text, args);
  const fixes = example === undefined ? [] : [fix(`Write @${example}`, whole, example)];
  return [problem(whole, "directive", message, { fixes })];
}

/** `@view tabel` → `view table`. */
function choiceFor(word: string, [arg]: readonly Value[]): string | undefined {
  const choices = new Map([
    ["order", ["serial", "batch"]],
    ["view", ["table", "tree", "json"]],
  ]).get(word);
  const [near] = choices && arg?.kind === "word" ? similar(arg.text.slice(0, 40), choices) : [];
  return near && `${word} ${near}`;
}

/** The problems of the cell's ABI files. */
function fileProblems({ abiFiles }: Project, cell: LinesCell): Problem[] {
  return directivesOf(cell, "abi").flatMap(({ offset, statement }) =>
    statement.args.flatMap((arg) => {
      const file = arg.kind === "string" ? abiFiles?.get(arg.value) : undefined;
      if (!file || !("problem" in file)) return [];
      return [problem({ start: offset + arg.start, end: offset + arg.end }, "file", file.problem)];
    }),
  );
}

type MessageOf = (args: readonly Value[]) => string | undefined;

const messages: ReadonlyMap<string, MessageOf> = new Map(
  Object.entries<MessageOf>({
    network: (args) =>
      args.length > 0 && args.every((arg) => isWord(arg) || arg.kind === "variable")
        ? undefined
        : "Name a network: @network base-mainnet",
    env: ([arg, ...rest]) =>
      arg && rest.length === 0 && textOf(arg).some(isEnvironmentName)
        ? undefined
        : "Name one environment, with letters, digits, _ and -: @env staging",
    every: ([arg, ...rest]) =>
      arg?.kind === "number" && arg.unit && durationWords.includes(arg.unit.text) && rest.length === 0
        ? undefined
        : "Specify the interval: @every 6s",
    times: wholeNumber(`Specify the number of runs, 1 to ${maxTimes}: @times 20`, maxTimes),
    budget: wholeNumber("Specify the maximum of credits: @budget 2000", Number.MAX_SAFE_INTEGER),
    order: oneOf(["serial", "batch"], "@order must be serial or batch"),
    watch: ([arg, ...rest]) =>
      arg?.kind === "word" && arg.text === "logs" && rest.length === 0
        ? undefined
        : "Write the kind: @watch logs",
    lookup: (args) =>
      args.length > 0 &&
      args.every((arg) => textOf(arg).some((one) => (lookUpKinds as readonly string[]).includes(one)))
        ? undefined
        : "Write what is looked up, tokens or names or both: @lookup tokens names",
    // Its problems are those of the plan: see keyProblems.
    idempotency: () => undefined,
    // Its problems are those of its values: see readGives.
    give: () => undefined,
    secret: (args) =>
      args.length > 0 && args.every((arg) => textOf(arg).length > 0)
        ? undefined
        : "Name results of this cell: @secret session",
    view: oneOf(["table", "tree", "json"], "@view must be table, tree or json"),
    allow: (args) =>
      args.length > 0 && args.every(isWord) ? undefined : "Name the methods: @allow eth_simulateV1",
    abi: (args) =>
      args.length > 0 && args.every(({ kind }) => kind === "string")
        ? undefined
        : '@abi takes declarations or a file in quotes: @abi "event Moved(address indexed who, uint256 to)"',
  }),
);

function isWord({ kind }: Value): boolean {
  return kind === "word" || kind === "string";
}

function wholeNumber(message: string, most: number) {
  return ([arg, ...rest]: readonly Value[]) => {
    const isValid =
      arg?.kind === "number" &&
      !arg.unit &&
      arg.text.length < 40 &&
      /^[\d_]+$/.test(arg.text) &&
      rest.length === 0;
    const number = isValid ? Number(arg.text.replace(/_/g, "")) : 0;
    return number >= 1 && number <= most ? undefined : message;
  };
}

function oneOf(words: readonly string[], message: string) {
  return ([arg]: readonly Value[]) =>
    arg?.kind === "word" && words.includes(arg.text) ? undefined : message;
}

function asksForLogs({ statement }: ReturnType<typeof requestsOf>[number]): boolean {
  return wireMethod(statement.method.text) === "eth_getLogs";
}

function secretProblems(cell: LinesCell): Problem[] {
  const message = secretProblem(cell);
  const [placed] = directivesOf(cell, "secret");
  if (message === undefined || !placed) return [];
  const { offset, statement } = placed;
  return [problem({ start: offset, end: offset + statement.end }, "directive", message)];
}

function giveProblems(project: Project, cell: LinesCell, index: number): Problem[] {
  const read = readGives(project, index);
  return directivesOf(cell, "give").flatMap(({ offset, statement }, at) => {
    const one = read[at];
    const span = { start: offset, end: offset + statement.end };
    return one && "problem" in one ? [problem(span, "directive", one.problem)] : [];
  });
}

function pollingProblems(cell: LinesCell): Problem[] {
  const [watch] = directivesOf(cell, "watch");
  if (watch && watchesLogs(cell) && !requestsOf(cell).some(asksForLogs)) {
    const place = { start: watch.offset, end: watch.offset + watch.statement.end };
    return [problem(place, "polling", "@watch logs needs a line with logs or eth_getLogs in this cell")];
  }
  const every = directivesOf(cell, "every")[0] ?? watch;
  const polling = pollingOf(cell);
  if (!every || !polling) return [];
  const { offset, statement } = every;
  const span = { start: offset, end: offset + statement.end };
  const writing = requestsOf(cell).find((request) =>
    writesToChain(wireMethod(request.statement.method.text)),
  );
  if (writing) {
    const { start, end, text } = writing.statement.method;
    const place = { start: writing.offset + start, end: writing.offset + end };
    return [
      problem(
        place,
        "polling",
        `${text} changes the chain, so it can't be repeated with @${statement.word.text}`,
      ),
    ];
  }
  if (polling.everyMs === leastEveryMs) {
    const message = "The service allows 100 requests a minute. Use an interval of at least 2 seconds";
    return [
      problem(span, "polling", message, {
        severity: "warning",
        refuses: false,
        fixes: [fix("@every 2s", span, "@every 2s")],
      }),
    ];
  }
  if (directivesOf(cell, "times").length > 0) return [];
  const after = { start: span.end, end: span.end };
  return [
    problem(span, "polling", `Runs ${defaultTimes} times without @times`, {
      severity: "hint",
      refuses: false,
      fixes: [fix("Set the number of runs", after, `\n@times ${defaultTimes}`)],
    }),
  ];
}
