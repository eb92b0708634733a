import { explain } from "../../../platform/errorMessage.ts";
import { coinOf, isMainnet } from "../../../shared/rpc/networks.ts";
import type {
  Json,
  RpcCall,
  RpcChange,
  RpcLine,
  RpcNetwork,
  RpcOutput,
  RpcPolling,
} from "../../../shared/rpcOutput.ts";
import type { Evm } from "../evm/evm.ts";
import { declaredIn } from "../language/declarations.ts";
import { directivesOf, type Project, textOf } from "../language/project.ts";
import { bounded } from "./bounded.ts";
import { type Hints, toOutcome } from "./outcome.ts";
import type { LineState, Round } from "./round.ts";
import { type CellRun, spentBy } from "./runCell.ts";
import { shortText } from "./shortText.ts";

/** What the editor draws without a pause: 5 MB take it two seconds. */
export const maxOutputBytes = 256 * 1024;

export interface OutputFacts {
  readonly runId: string;
  readonly evm: Evm | undefined;
  /** Who answered, for the words of errors. */
  readonly service: string;
  readonly isSandbox: boolean;
  /** What differs from the run before, by line. */
  readonly changedIn?: (key: string) => readonly RpcChange[] | undefined;
}

/** A run as its output, decoded and no larger than an editor draws at once. */
export function toOutput(run: CellRun, facts: OutputFacts): RpcOutput {
  const { rounds, polling, problem, atMs, endedAtMs, plan } = run;
  const share = maxOutputBytes / Math.max(1, plan.lines.length * rounds.length);
  const declared = declaredIn(run.project);
  const before = (round: Round) =>
    rounds.slice(0, rounds.indexOf(round)).reduce((sum, { calls }) => sum + calls.length, 0);
  const lines = rounds.flatMap((round) =>
    round.lines.map((state, at) => toLine(run, round, state, at, before(round), { declared, share, facts })),
  );
  const view = viewOf(run.project, run.cell);
  const calls: RpcCall[] = rounds.flatMap((round) => round.calls);
  const words = { service: facts.service, ...(facts.isSandbox ? { kind: "sandbox" as const } : {}) };
  return {
    version: 1,
    runId: facts.runId,
    atMs,
    done: endedAtMs !== undefined,
    networks: run.networks.map(toNetwork),
    lines,
    calls,
    total: {
      ...spentBy(run),
      estimatedCredits: run.estimatedCredits,
      ms: endedAtMs === undefined ? calls.reduce((sum, { ms }) => sum + ms, 0) : endedAtMs - atMs,
    },
    ...(view ? { view } : {}),
    ...(polling ? { polling: toPolling(polling, run) } : {}),
    ...(problem === undefined ? {} : { problem: explain(problem, words) }),
  };
}

interface Drawing {
  readonly declared: readonly string[];
  readonly share: number;
  readonly facts: OutputFacts;
}

/** So many differences are told with their values, each value with so many bytes. */
const mostChanges = 50;
const changeBytes = 200;

function short({ path, before, now }: RpcChange): RpcChange {
  const cut = (value: Json) => bounded(value, changeBytes).value;
  return {
    path,
    ...(before === undefined ? {} : { before: cut(before) }),
    ...(now === undefined ? {} : { now: cut(now) }),
  };
}

export function lineKey(network: string, at: number): string {
  return `${network}/${at}`;
}

/** What decoding a line's answer goes by. */
export function hintsOf(
  run: Pick<CellRun, "plan">,
  at: number,
  state: LineState,
  declared: readonly string[],
): Hints {
  return { method: run.plan.lines[at]?.method ?? "", decoding: state.decoding, declared };
}

function toLine(
  run: CellRun,
  { network }: Round,
  state: LineState,
  at: number,
  callsBefore: number,
  { declared, share, facts }: Drawing,
): RpcLine {
  const planned = run.plan.lines[at];
  const key = lineKey(network, at);
  const changed = facts.changedIn?.(key);
  return {
    key,
    network,
    line: planned?.line ?? 0,
    source: planned?.source ?? "",
    method: planned?.method ?? "",
    outcome: toOutcome(state.outcome, hintsOf(run, at, state, declared), facts.evm, share),
    ...(planned?.name ? { name: planned.name } : {}),
    ...(state.call === undefined ? {} : { call: callsBefore + state.call }),
    ...(state.credits === undefined ? {} : { credits: state.credits }),
    ...(state.note ? { note: state.note } : {}),
    ...(changed
      ? { changed: changed.map(({ path }) => path), changes: changed.slice(0, mostChanges).map(short) }
      : {}),
  };
}

function toNetwork(slug: string): RpcNetwork {
  return { slug, isMainnet: isMainnet(slug), coin: coinOf(slug) };
}

function viewOf(project: Project, index: number): RpcOutput["view"] {
  const one = project.cells[index];
  const [said] = one
    ? directivesOf(one.cell, "view").flatMap(({ statement }) => statement.args.flatMap(textOf))
    : [];
  const view = said ?? one?.facts.view;
  return view === "table" || view === "tree" || view === "json" ? view : undefined;
}

function toPolling(polling: NonNullable<CellRun["polling"]>, run: CellRun): RpcPolling {
  const { everyMs, round, times, budgetCredits, ended, history } = polling;
  return {
    everyMs,
    round,
    rounds: times,
    ...(budgetCredits === undefined ? {} : { budgetCredits }),
    ...(ended ? { ended } : {}),
    history: history.map(({ atMs, credits, rounds }) => ({
      atMs,
      credits,
      values: rounds.flatMap(({ lines }) =>
        lines.map(({ outcome }, at) => shortText(outcome, run.plan.lines[at]?.method)),
      ),
    })),
  };
}
