import { openNetwork } from "../../../../shared/rpc/networks.ts";
import type { EvmTools } from "../../encode/applyFunction.ts";
import { isSecretName } from "../../encode/secretValue.ts";
import { type HideSecrets, hidingOf } from "../../environment/environments.ts";
import { memo } from "../../memo.ts";
import type { Span, Value } from "../../parse/nodes.ts";
import type { Cell } from "../../parse/parseCell.ts";
import {
  directivesOf,
  environmentsOf,
  maxNetworks,
  namedNetworks,
  networkNamedBy,
  networksOfCell,
  type Project,
  type ProjectCell,
  type UnusableNetwork,
} from "../../project.ts";
import { fix, type Problem, problem } from "../problems.ts";
import { diagnoseDirectives } from "./diagnoseDirectives.ts";
import { diagnoseLines } from "./diagnoseLines.ts";
import { diagnoseLiteral } from "./diagnoseLiteral.ts";
import { diagnoseVariables } from "./diagnoseVariables.ts";

/** The problems of a cell, before it is sent. Without `evm`, checks that need the library are left out. */
export function diagnose(project: Project, index: number, evm?: EvmTools): readonly Problem[] {
  const cache = diagnosed(project);
  const key = `${index} ${evm !== undefined}`;
  const found = cache.get(key) ?? diagnoseCell(project, index, evm);
  cache.set(key, found);
  return found;
}

/** Problems listed in a refusal. */
const mostProblems = 20;

/**
 * The reason that a cell is not sent: its errors, line by line. Undefined if it may run. `isSent` is false for methods
 * that the run does not send, so that the service can't refuse them. `more` are problems of the plan.
 */
export function refusalOf(
  project: Project,
  index: number,
  evm: EvmTools | undefined,
  isSent: (method: string) => boolean = () => true,
  more: readonly Problem[] = [],
): string | undefined {
  const problems = [...diagnose(project, index, evm), ...more].filter(
    ({ refuses, refusedMethod }) => refuses && (refusedMethod === undefined || isSent(refusedMethod)),
  );
  if (problems.length === 0) return undefined;
  problems.sort((a, b) => a.start - b.start);
  const text = project.cells[index]?.cell.text ?? "";
  const lineOf = (offset: number) => text.slice(0, offset).split("\n").length;
  const lines = problems
    .slice(0, mostProblems)
    .map(({ start, message }) => `Line ${lineOf(start)}: ${message}`);
  const left = problems.length - lines.length;
  if (left > 0) lines.push(`And ${left} more.`);
  return `Nothing was sent.\n${lines.join("\n")}`;
}

/** Cached per project, because an edit creates a new project. */
const diagnosed = memo((_: Project) => new Map<string, readonly Problem[]>());

function diagnoseCell(project: Project, index: number, evm: EvmTools | undefined): readonly Problem[] {
  const one = project.cells[index];
  if (!one) return [];
  const own =
    one.cell.form === "lines"
      ? diagnoseLines(project, index, one.cell, evm)
      : diagnoseLiteral(one.cell, networksOfCell(project, one));
  const networks = networkProblems(project, one);
  const starts = new Set(networks.map(({ start }) => start));
  const found = [
    ...diagnoseDirectives(project, one.cell, index),
    // One sentence about a variable is enough: that it names no network.
    ...diagnoseVariables(project, index, one.cell).filter(
      ({ code, start }) => code !== "variable" || !starts.has(start),
    ),
    ...networks,
    ...own,
    ...checksums(one.cell, evm),
    ...tooManyNetworks(project, one),
  ];
  const { hide } = hidingOf(environmentsOf(project));
  return hide ? found.map((problem) => hiddenProblem(problem, hide)) : found;
}

/** Messages and fixes can quote the value of a variable. */
function hiddenProblem(problem: Problem, hide: HideSecrets): Problem {
  const fixes = problem.fixes.filter(({ title, edits }) =>
    [title, ...edits.map(({ text }) => text)].every((text) => hide(text) === text),
  );
  return { ...problem, message: hide(problem.message), fixes };
}

/** Addresses in mixed case, with their offsets. Mixed case is a checksum (EIP-55). */
export function mixedAddresses(text: string): readonly { readonly text: string; readonly at: number }[] {
  const found = [...text.slice(0, 200_000).matchAll(/\b0x[0-9a-fA-F]{40}\b/g)].map(({ 0: one, index }) => ({
    text: one,
    at: index,
  }));
  return found.filter(({ text: one }) => /[a-f]/.test(one) && /[A-F]/.test(one)).slice(0, mostAddresses);
}

/** Addresses of a cell that are checked. */
const mostAddresses = 200;

/** A wrong checksum stops a cell of lines. JSON-RPC is sent unchanged, and comments are not sent. */
function checksums({ text, form }: Cell, evm: EvmTools | undefined): Problem[] {
  if (!evm?.checksummed) return [];
  return mixedAddresses(text).flatMap(({ text: written, at }) => {
    const correct = evm.checksummed?.(written);
    if (correct === undefined || correct === written) return [];
    const span = { start: at, end: at + written.length };
    const refuses = form === "lines" && !isCommented(text, at);
    const message = `The checksum of this address is wrong (EIP-55), so a digit may be mistyped. If its digits are right, write ${correct}`;
    const fixes = [fix(`Write ${correct}, if the digits are right`, span, correct)];
    return [problem(span, "checksum", message, { severity: refuses ? "error" : "warning", refuses, fixes })];
  });
}

function isCommented(text: string, at: number): boolean {
  const line = text.slice(Math.max(text.lastIndexOf("\n", at), text.lastIndexOf("\r", at)) + 1, at);
  return /(?:^|[\s,])(?:#|\/\/)/.test(line);
}

function networkProblems(project: Project, cell: ProjectCell): Problem[] {
  const written = directivesOf(cell.cell, "network").flatMap(({ offset, statement }) =>
    statement.args.map((arg) => ({
      arg,
      named: networkNamedBy(project, cell, arg),
      span: { start: offset + arg.start, end: offset + arg.end },
    })),
  );
  const isOverruled = project.onlyNetwork !== undefined;
  const problems = written.flatMap(({ arg, named, span }) => {
    if ("slug" in named) return unknownNetwork(project, named.slug, span);
    return isOverruled ? [] : unusableNetwork(named.unusable, arg, span);
  });
  if (written.length > 0 && !isOverruled) return problems;
  const elsewhere = networksOfCell(project, cell);
  return [...problems, ...elsewhere.flatMap((slug) => unknownNetwork(project, slug, { start: 0, end: 0 }))];
}

function unusableNetwork(reason: UnusableNetwork, arg: Value, span: Span): Problem[] {
  switch (reason) {
    case "secret":
      return [problem(span, "network", secretNetwork(arg.kind === "variable" ? arg.name : ""))];
    case "being-read":
      // An error would flash at each change of the file.
      return [
        problem(
          span,
          "network",
          "The file with the value of this variable is being read. Run the cell again",
          {
            severity: "hint",
          },
        ),
      ];
    // A problem of the variable, or of the form of the directive.
    case "no-value":
    case "no-name":
      return [];
  }
}

/** The networks of requests are shown and stored. */
function secretNetwork(name: string): string {
  return isSecretName(name)
    ? `{{${name}}} can't name the network, because a variable with this name is secret. Rename the variable, for example to NETWORK, or write the name of the network here`
    : `{{${name}}} can't name the network, because its value looks like a secret. Correct the value, or write the name of the network here`;
}

function unknownNetwork(project: Project, slug: string, span: Span): Problem[] {
  if (project.offered.includes(slug)) return [];
  const isOpen = slug === openNetwork;
  if (slug.startsWith("{{")) return [problem(span, "network", notReplaced)];
  const message = isOpen
    ? "The network of this request is unknown. Choose its network"
    : `${slug} is not a network of this service`;
  const near = isOpen ? project.offered : similarNetworks(slug, project.offered);
  const written = (one: string) => (span.end > 0 ? one : `@network ${one}\n`);
  return [
    problem(span, "network", message, { fixes: near.map((one) => fix(`Use ${one}`, span, written(one))) }),
  ];
}

const notReplaced =
  "Variables are not replaced in the front matter and in the opening line of a cell. Write @network {{NAME}} in the cell";

function similarNetworks(slug: string, offered: readonly string[]): readonly string[] {
  const [family = ""] = slug.split("-");
  const near = offered.filter((one) => one.startsWith(family.slice(0, 3)));
  return near.slice(0, 4);
}

function tooManyNetworks(project: Project, cell: ProjectCell): Problem[] {
  const { length } = namedNetworks(project, cell);
  if (length <= maxNetworks) return [];
  const message = `A cell can have at most ${maxNetworks} networks, not ${length}`;
  return [problem({ start: 0, end: 0 }, "network", message)];
}
