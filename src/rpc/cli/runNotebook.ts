import { waitMs } from "../../api/call/retry.ts";
import { ApiError } from "../../api/errors/errors.ts";
import { mostCredits } from "../../api/money/rpcCredits.ts";
import { writesToChain } from "../../shared/rpc/catalog/catalog.ts";
import { localNetwork, networks } from "../../shared/rpc/networks.ts";
import type { EvmLoader } from "../evm/evmLoader.ts";
import { environmentInHead, networksInHead, readDocument } from "../file/readDocument.ts";
import { declarationsOf, isAbiPath } from "../language/check/declarations.ts";
import { refusalOf } from "../language/check/diagnose.ts";
import type { AbiFile } from "../language/encode/abiJson.ts";
import type { Environments } from "../language/environment/environments.ts";
import { parseCell } from "../language/parse/parseCell.ts";
import type { Project } from "../language/project.ts";
import type { RpcOutput } from "../output/rpcOutput.ts";
import { withTokens } from "../run/expect/tokenAmounts.ts";
import { createSentTransactions, createValues } from "../run/expect/values.ts";
import { failureOf, isFine, outputWantsEvm, toOutput } from "../run/output.ts";
import { estimateCell } from "../run/plan/estimate.ts";
import { isIdle, planCell } from "../run/plan/plan.ts";
import { wantsEvm } from "../run/round.ts";
import { runCell } from "../run/runCell.ts";
import type { Sender } from "../run/senders.ts";

/** A notebook as text, and what its cells may use. */
export interface NotebookSource {
  /** As the user named it; shown in reports. */
  readonly file: string;
  readonly text: string;
  /** Replaces the networks of all cells. */
  readonly network: string | undefined;
  readonly readAbi: (path: string) => Promise<AbiFile>;
  /** Reads the environments of the cells. `head` is the one of the front matter. */
  readonly readEnvironments?: (project: Project, head: string | undefined) => Promise<Environments>;
}

/** A parsed notebook. */
export interface HeadlessNotebook {
  readonly file: string;
  readonly project: Project;
  /** Of each cell of the project. */
  readonly places: readonly Place[];
}

interface Place {
  /** One-based line of the fence in the file. */
  readonly line: number;
  /** Its name, else its first line that is no directive. */
  readonly title: string;
}

/** How to run: shared by all notebooks of one command. */
export interface HeadlessDeps {
  readonly sender: Sender;
  readonly evm: EvmLoader;
  /** Name of the service, for error messages. */
  readonly service: string;
  readonly isPlayMoney: boolean;
  readonly mayWrite: boolean;
  readonly budget: CreditBudget;
}

/** The result of a cell. */
export interface CellResult extends Place {
  /** One-based, counting request cells only. */
  readonly cell: number;
  readonly status: "passed" | "failed" | "skipped";
  /** Why it failed or was skipped. */
  readonly reason?: string;
  /** Undefined if nothing was sent. */
  readonly output?: RpcOutput;
  readonly ms: number;
  readonly credits: number;
  readonly usd: number;
}

export interface NotebookResult {
  readonly file: string;
  readonly cells: readonly CellResult[];
}

/** Credits that the command may still spend. */
interface CreditBudget {
  /** Undefined for no limit. */
  readonly limit: number | undefined;
  spent: number;
  /** True after a cell or a request did not fit. */
  isReached: boolean;
}

/**
 * Runs all cells of a notebook in order. A cell that fails does not stop the others; cells that use its results fail with
 * that reason. After the budget is reached, or the signal aborts, the other cells are skipped. Never throws.
 */
export async function runNotebook(
  deps: HeadlessDeps,
  { file, project, places }: HeadlessNotebook,
  signal: AbortSignal,
  onCell: (result: CellResult) => void,
): Promise<NotebookResult> {
  const session = { values: createValues(), sentTransactions: createSentTransactions() };
  const wanted = project.cells.some((_, cell) => wantsEvm({ project, cell, plan: planCell(project, cell) }));
  if (wanted) await deps.evm.load();
  const cells: CellResult[] = [];
  for (const [index, place] of places.entries()) {
    const running = runOne(deps, project, index, session, signal);
    // The next cell is checked while the node answers; the result is cached.
    const checking = setImmediate(() => void refusalOf(project, index + 1, deps.evm.loaded));
    const result = await running;
    clearImmediate(checking);
    cells.push({ cell: index + 1, ...place, ...result });
    onCell(cells[index] as CellResult);
  }
  return { file, cells };
}

/** Parses a notebook and reads its ABI files. */
export async function openNotebook(source: NotebookSource): Promise<HeadlessNotebook> {
  const { head, cells } = readDocument(source.text);
  let line = linesIn(head) + 1;
  const requests: { readonly project: Project["cells"][number]; readonly place: Place }[] = [];
  for (const { kind, text, facts, raw } of cells) {
    if (kind === "request") {
      const project = { key: String(requests.length), cell: parseCell(text), facts };
      requests.push({ project, place: { line, title: facts.name ?? titleOf(text) } });
    }
    line += linesIn(raw);
  }
  const paths = requests.flatMap(({ project }) => declarationsOf(project.cell)).filter(isAbiPath);
  const abiFiles = new Map<string, AbiFile>();
  for (const path of new Set(paths)) abiFiles.set(path, await source.readAbi(path));
  const { file, network } = source;
  const project: Project = {
    networks: networksInHead(head),
    ...(network === undefined ? {} : { onlyNetwork: network }),
    offered: knownNetworks,
    abiFiles,
    cells: requests.map((one) => one.project),
  };
  const environments = await source.readEnvironments?.(project, environmentInHead(head));
  return {
    file,
    project: environments ? { ...project, environments } : project,
    places: requests.map(({ place }) => place),
  };
}

/** The networks that are known without asking the service. */
const knownNetworks: readonly string[] = [...networks.map(({ slug }) => slug), localNetwork];

function linesIn(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

const mostTitle = 80;

function titleOf(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  const first = lines.find((line) => line !== "" && !/^[#@]/.test(line)) ?? lines[0] ?? "";
  return first.slice(0, mostTitle);
}

type Ran = Omit<CellResult, "cell" | keyof Place>;
type NotebookState = Pick<Parameters<typeof runCell>[0], "values" | "sentTransactions">;

async function runOne(
  deps: HeadlessDeps,
  project: Project,
  index: number,
  state: NotebookState,
  signal: AbortSignal,
): Promise<Ran> {
  const { budget, evm, service, isPlayMoney, sender } = deps;
  if (signal.aborted) return skipped("The run was stopped.");
  if (budget.isReached) return skipped("The budget was reached before this cell.");
  const refusal = refusalOf(project, index, evm.loaded) ?? writeRefusal(deps, project, index);
  if (refusal !== undefined) return { ...nothingSent, status: "failed", reason: refusal };
  if (isIdle(planCell(project, index))) return { ...nothingSent, status: "passed" };
  const { credits } = estimateCell(project, index);
  if (budget.limit !== undefined && budget.spent + credits > budget.limit) {
    budget.isReached = true;
    return skipped(
      `This cell costs up to ${credits} credits, and ${budget.limit - budget.spent} of the budget of ${budget.limit} are left.`,
    );
  }
  const run = await runCell(
    {
      ...state,
      sender: withinBudget(sender, budget),
      loadEvm: evm.load,
      consent: async () => deps.mayWrite,
      pause: (ms, abort) => waitMs(ms, abort, () => new ApiError("cancelled", "Stopped")),
      now: Date.now,
    },
    project,
    index,
    signal,
    () => {},
  );
  if (outputWantsEvm(run)) await evm.load();
  const facts = { runId: String(index), evm: evm.loaded, service, isSandbox: isPlayMoney };
  const output = withTokens(toOutput(run, facts), run);
  const { ms, credits: spent, usd } = output.total;
  const ended = { output, ms, credits: spent, usd };
  if (isFine(output)) return { ...ended, status: "passed" };
  return { ...ended, status: "failed", reason: budget.isReached ? reachedText(budget) : failureOf(output) };
}

function reachedText({ limit, spent }: CreditBudget): string {
  return `The next request could exceed the budget of ${limit} credits, of which ${spent} are spent. It was not sent.`;
}

/** Refuses a request that could exceed the budget, and counts the others. */
function withinBudget(sender: Sender, budget: CreditBudget): Sender {
  return {
    async send(network, body, options) {
      const methods = [body].flat().map(({ method }) => method);
      const most = network === localNetwork ? 0 : mostCredits(network, methods);
      if (budget.limit !== undefined && budget.spent + most > budget.limit) {
        budget.isReached = true;
        throw new ApiError("payment-required", reachedText(budget), {
          source: "budget",
          mayHaveArrived: false,
        });
      }
      // Reserved first: a request whose reply is lost may have been charged.
      budget.spent += most;
      const sent = await sender.send(network, body, options);
      budget.spent += (sent.replayed ? 0 : (sent.credits ?? most)) - most;
      return sent;
    },
  };
}

const nothingSent = { ms: 0, credits: 0, usd: 0 };

function skipped(reason: string): Ran {
  return { ...nothingSent, status: "skipped", reason };
}

function writeRefusal({ mayWrite }: HeadlessDeps, project: Project, index: number): string | undefined {
  const write = mayWrite
    ? undefined
    : planCell(project, index).lines.find(({ method }) => writesToChain(method));
  if (!write) return undefined;
  return `Nothing was sent. Line ${write.line + 1}: ${write.method} changes the chain. Add --allow-writes to send it.`;
}
