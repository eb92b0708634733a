// What a run of cells of a chain notebook costs and does, before it runs.
import { Refusal } from "../../../../platform/errors/refusal.ts";
import type { CellFacts } from "../../../../rpc/language/check/cellFacts.ts";
import { parseCell } from "../../../../rpc/language/parse/parseCell.ts";
import type { Project } from "../../../../rpc/language/project.ts";
import { estimateCell, estimateSimulation, sumEstimates } from "../../../../rpc/run/plan/estimate.ts";
import { planRun } from "../../../../rpc/run/plan/runPlan.ts";
import { isSimulated } from "../../../../rpc/simulate/simulate.ts";
import { effectOf } from "../../../../shared/rpc/catalog/catalog.ts";
import { plural } from "../../../../shared/text/plural.ts";

/** A cell of an open notebook, in the order of the notebook. */
interface ShownCell {
  /** Undefined for a cell of text. */
  readonly request?: { readonly text: string; readonly facts: CellFacts };
}

/** A notebook as far as its text says. */
export interface ShownNotebook {
  readonly cells: readonly ShownCell[];
  readonly networks: readonly string[];
}

/** What the user is shown of a run. */
export interface RunFacts {
  /** The price at most, or why it is not known. */
  readonly price: string;
  /** The methods that may change a chain or a node. */
  readonly changing: readonly string[];
  /** What the requests of the notebook say, with its networks, if the run may change a chain. */
  readonly content?: string;
}

/** The indexes of the cells in the notebook that a model names by their numbers; all of its requests without numbers. */
export function namedCells({ cells }: ShownNotebook, numbers: readonly number[]): readonly number[] {
  const requests = cells.flatMap(({ request }, index) => (request ? [index] : []));
  if (requests.length === 0) throw new Refusal("The notebook has no rpc cell.");
  if (numbers.length === 0) return requests;
  const wanted = [...new Set(numbers)].sort((a, b) => a - b).map((number) => number - 1);
  const wrong = wanted.find((index) => !requests.includes(index));
  if (wrong === undefined) return wanted;
  const known = requests.slice(0, 40).map((index) => index + 1);
  throw new Refusal(`Cell ${wrong + 1} is no rpc cell. The rpc cells are ${known.join(", ")}.`);
}

/** The price and the effects of a run, with the cells whose results it may need. */
export function factsOfRun(shown: ShownNotebook, wanted: readonly number[], simulates: boolean): RunFacts {
  const requests = shown.cells.flatMap(({ request }, index) => (request ? [{ ...request, index }] : []));
  const project: Project = {
    cells: requests.map(({ text, facts, index }) => ({ key: String(index), cell: parseCell(text), facts })),
    networks: shown.networks,
    offered: [],
  };
  const indexes = wanted.map((index) => requests.findIndex((request) => request.index === index));
  const plans = planRun(project, indexes, { get: () => undefined });
  const estimate = sumEstimates(
    plans.map((plan) => (simulates ? estimateSimulation(plan, true) : estimateCell(plan))),
  );
  const methods = plans.flatMap(({ lines }) => lines.map(({ method }) => method));
  const changing = methods.filter(
    (method) => effectOf(method) !== "reads" && !(simulates && isSimulated(method)),
  );
  const { networks } = shown;
  const isKnown = plans.every((plan) => plan.networks.length > 0);
  return {
    price: isKnown ? priceText(estimate.credits, estimate.open) : "its price is known when it runs",
    changing: [...new Set(changing)],
    ...(changing.length > 0 ? { content: JSON.stringify([networks, requests]) } : {}),
  };
}

function priceText(credits: number, isOpen: boolean): string {
  if (credits === 0) return "free";
  return isOpen ? `at least ${plural(credits, "credit")}` : `at most ${plural(credits, "credit")}`;
}
