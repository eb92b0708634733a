import { effectOf } from "../../../shared/rpc/catalog/catalog.ts";
import { localNetwork } from "../../../shared/rpc/networks.ts";
import { type Contexts, createContexts, type Known } from "../../language/check/contexts.ts";
import { declaredIn, functionsIn } from "../../language/check/declarations.ts";
import { mixedAddresses, refusalOf } from "../../language/check/diagnose/diagnose.ts";
import type { EvmTools } from "../../language/encode/applyFunction.ts";
import { nestingOfConstant } from "../../language/encode/constants.ts";
import { type HideSecrets, hidingOf } from "../../language/environment/environments.ts";
import { isSecretResult } from "../../language/environment/secretResults.ts";
import { memo } from "../../language/memo.ts";
import type { Value } from "../../language/parse/nodes.ts";
import { type Definition, definitionBefore, environmentsOf, type Project } from "../../language/project.ts";
import { type StoredName, storedName, type Values } from "../expect/values.ts";
import { type CellPlan, planCell } from "./plan.ts";
import { keyProblems } from "./requestKey.ts";

/** The plan of a cell with all that its run needs of the notebook, which is not asked again. */
export interface RunPlan extends CellPlan {
  /** True if its lines need the Ethereum library. */
  readonly wantsEvm: boolean;
  /** True if its expectations need it. */
  readonly checksWantEvm: boolean;
  /** True if it only reads, in one round, from the node on this machine: it may run beside another such cell. */
  readonly onlyReadsLocally: boolean;
  readonly notebook: NotebookPlan;
  /** The reason that the cell is not sent: see `refusalOf`. */
  refusal(evm: EvmTools | undefined, isSent?: (method: string) => boolean): string | undefined;
}

/** What the runs of the cells of a notebook share. */
export interface NotebookPlan {
  /** Hides the secrets of its environments; undefined without secrets. */
  readonly hide: HideSecrets | undefined;
  /** The declarations of its @abi directives. */
  readonly declared: readonly string[];
  /** The functions that it declares or calls. */
  readonly functions: readonly string[];
  contexts(known: Known): Contexts;
  /** The meaning of a name in a statement. */
  definition(name: string, site: Site): Definition | undefined;
  nesting(constant: Value): number;
  storedAs(definition: Definition): StoredName;
  /** True for a result that is shown nowhere. */
  isSecret(definition: Definition): boolean;
}

/** The statement whose names are resolved. */
export interface Site {
  readonly cell: number;
  readonly statement: number;
}

/** The plans of the cells of a run, in order: the requested cells and those whose results they lack. */
export function planRun(
  project: Project,
  requested: readonly number[],
  values: Pick<Values, "get">,
): readonly RunPlan[] {
  const plans = new Map<number, RunPlan>();
  const open = [...requested];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (!project.cells[index] || plans.has(index)) continue;
    const plan = planCellRun(project, index);
    plans.set(index, plan);
    const isKnown = (definition: Definition) =>
      plan.networks.every((network) => values.get(plan.notebook.storedAs(definition), network) !== undefined);
    for (const definition of usedBy(plan)) if (!isKnown(definition)) open.push(definition.cell);
  }
  // Cells only use results of cells above them, so the order of the notebook is a valid order.
  return [...plans.values()].sort((a, b) => a.cell - b.cell);
}

/** The results of other cells that a plan uses. */
export function usedBy({ lines, expectations }: CellPlan): ReadonlySet<Definition> {
  return new Set([...lines, ...expectations].flatMap(({ uses }) => uses));
}

export function planCellRun(project: Project, index: number): RunPlan {
  const plan = planCell(project, index);
  const isOfLines = project.cells[index]?.cell.form === "lines";
  const wantsEvm =
    plan.names.length > 0 ||
    plan.lines.some(({ method }) => takesRawTransaction(method)) ||
    (isOfLines && usesEvm(project));
  return {
    ...plan,
    wantsEvm,
    checksWantEvm: plan.expectations.length > 0 && (wantsEvm || usesDecoding(project)),
    onlyReadsLocally: onlyReadsLocally(plan),
    notebook: planNotebook(project),
    refusal: (evm, isSent) => refusalOf(project, index, evm, isSent, keyProblems(project, plan)),
  };
}

const planNotebook = memo(
  (project: Project): NotebookPlan => ({
    hide: hidingOf(environmentsOf(project)).hide,
    declared: declaredIn(project),
    functions: functionsIn(project),
    contexts: (known) => createContexts(project, known),
    definition: (name, { cell, statement }) => definitionBefore(project, name, cell, statement),
    nesting: (constant) => nestingOfConstant(project, constant),
    storedAs: (definition) => storedName(project, definition),
    isSecret: (definition) => isSecretResult(project, definition),
  }),
);

/** Methods whose first parameter is a signed transaction of an EVM chain. */
export function takesRawTransaction(method: string): boolean {
  return /^[a-z]+_sendRawTransaction/.test(method);
}

/** Once per notebook: a run of all cells would search all texts for each cell. */
const usesEvm = memo(({ cells }: Project) =>
  cells.some(
    ({ cell }) =>
      cell.form === "lines" &&
      (/\b(call|logs)[ \t]|\b(abi|topic|keccak)\(/.test(cell.text) || mixedAddresses(cell.text).length > 0),
  ),
);

/** In all cells, because a constant of another cell may have the member `event`. */
const usesDecoding = memo(({ cells }: Project) =>
  cells.some(({ cell }) => /\b(event|args|error)\b/.test(cell.text)),
);

/** The service has one request of a caller at a time, and a method without a description may change the node. */
function onlyReadsLocally({ networks, lines, expectations, polling }: CellPlan): boolean {
  return (
    polling === undefined &&
    networks.every((network) => network === localNetwork) &&
    lines.every(({ method, waits }) => effectOf(method) === "reads" && !waits) &&
    expectations.every(({ listsAll }) => listsAll)
  );
}
