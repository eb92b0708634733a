// The idempotency key of a cell: for one request, which the service then answers for 24 hours without a charge (spec E3).
import { localNetwork } from "../../../shared/rpc/networks.ts";
import { plural } from "../../../shared/text/plural.ts";
import { namedKey } from "../../language/check/idempotencyKey.ts";
import { type Problem, problem } from "../../language/check/problems.ts";
import { memo } from "../../language/memo.ts";
import { namedNetworks, type Project } from "../../language/project.ts";
import type { CellPlan } from "./plan.ts";

/**
 * The problems of a cell's key. A service answers by the key alone, so one key for two requests would give the second
 * the response of the first, or an error.
 */
export function keyProblems(project: Project, plan: CellPlan): readonly Problem[] {
  const named = namedKey(project, plan.cell);
  if (!named) return [];
  if ("problem" in named) return [problem(named, "idempotency", named.problem)];
  const reason = sharedBy(project, plan, named.key) ?? repeatedBy(plan) ?? splitBy(plan);
  if (reason !== undefined) return [problem(named, "idempotency", reason)];
  if (!plan.networks.includes(localNetwork)) return [];
  const message = "A node on this machine is free and stores no responses, so the key is not sent to it";
  return [problem(named, "idempotency", message, { severity: "hint", refuses: false })];
}

function sharedBy(project: Project, { cell, networks }: CellPlan, key: string): string | undefined {
  const first = firstCells(project).get(key);
  if (first !== undefined && first !== cell)
    return `The key ${key} is that of request cell ${first + 1} already. Two requests need two keys`;
  if (networks.length > 1)
    return `The key ${key} is for one request, but the cell sends one to each of its ${networks.length} networks`;
  const one = project.cells[cell];
  const { onlyNetwork, ...own } = project;
  if (!one || onlyNetwork === undefined) return undefined;
  const [written] = namedNetworks(own, one);
  return written === onlyNetwork
    ? undefined
    : `The key ${key} is for a request to ${written}. On ${onlyNetwork} it could be answered with the response of ${written}`;
}

function repeatedBy({ polling, watches, lines }: CellPlan): string | undefined {
  const again = "and the service would answer each repetition with the first response";
  if (watches) return `@watch repeats the request, ${again}`;
  if (polling) return `@every repeats the request, ${again}`;
  return lines.some(({ waits }) => waits) ? `wait repeats the request, ${again}` : undefined;
}

function splitBy({ calls }: CellPlan): string | undefined {
  if (calls.length <= 1) return undefined;
  return `The key is for one request, but this cell sends ${plural(calls.length, "request")}: a line that needs the result of another one or the newest block has its own, and so has a transaction, each line with @order serial, and each batch of 100. Split the cell`;
}

/** The first cell with each key. */
const firstCells = memo((project: Project) => {
  const first = new Map<string, number>();
  project.cells.forEach((_, index) => {
    const named = namedKey(project, index);
    if (named && "key" in named && !first.has(named.key)) first.set(named.key, index);
  });
  return first;
});
