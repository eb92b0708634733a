import { isApiError } from "../../../api/errors.ts";
import { chargedCredits } from "../../../api/money/rpcCredits.ts";
import { exactJsonText } from "../../../shared/exactJson.ts";
import { localNetwork } from "../../../shared/rpc/networks.ts";
import { writesToChain } from "../language/catalog/catalog.ts";
import { definitionOf } from "../language/project.ts";
import { headLine } from "../plan/planCell.ts";
import { bodyOf, headItem, type Item, lowerLine, wantsEvm } from "./lineItems.ts";
import { outcomeOf } from "./outcome.ts";
import type { Round, RoundDeps, RoundTask } from "./round.ts";
import type { RpcAnswer, Sent } from "./sender.ts";
import { type AgreedWrite, agreeToWrites, settle, settleAnswers } from "./transactionSteps.ts";

/** How often a line that waits asks, and how long it lies in between. */
const waitTries = 30;
const waitMs = 4_000;

export function startRound({ plan, network }: Pick<RoundTask, "plan" | "network">): Round {
  return { network, lines: plan.lines.map(() => ({ outcome: { kind: "waiting" } })), calls: [] };
}

/** Asks one network what a plan says, and fills the round. Throws ApiError where a request came to nothing. */
export async function runRound(deps: RoundDeps, task: RoundTask, round: Round): Promise<void> {
  const { plan, signal } = task;
  const evm = wantsEvm(task) ? await deps.loadEvm() : undefined;
  let head: bigint | undefined;
  for (const call of plan.calls) {
    signal.throwIfAborted();
    const items: Item[] = [];
    for (const at of call) {
      const made = at === headLine ? headItem : lowerLine(deps, task, round, at, { evm, head });
      if ("reason" in made) round.lines[at] = { outcome: { kind: "unsent", reason: made.reason } };
      else items.push(made);
    }
    if (items.length === 0) continue;
    head = (await sendItems(deps, task, round, items)) ?? head;
    task.onProgress();
  }
}

/** Sends what goes together, and writes down what came; gives the number of the newest block where it was asked for. */
async function sendItems(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  items: readonly Item[],
): Promise<bigint | undefined> {
  const writing = items.filter(({ method }) => writesToChain(method));
  const writes = writing.length > 0 ? await agreeToWrites(deps, task, round, items, writing) : [];
  if (!writes) return undefined;
  const waits =
    items.length === 1 && writing.length === 0 && task.plan.lines[items[0]?.at ?? 0]?.waits === true;
  for (let attempt = 1; ; attempt++) {
    const sent = await sendOnce(deps, task, round, items, writes);
    if (!sent) return undefined;
    const answers = answersFor(items, sent);
    record(deps, task, round, items, sent, answers);
    await settleAnswers(deps, task, round, writes);
    const [first] = answers;
    const isOpen = waits && first?.error === undefined && (first?.result ?? null) === null;
    if (!isOpen || attempt >= waitTries) return headIn(items, answers);
    task.onProgress();
    await deps.pause(waitMs, task.signal);
  }
}

function headIn(items: readonly Item[], answers: readonly (RpcAnswer | undefined)[]): bigint | undefined {
  const at = items.findIndex((item) => item.at === headLine);
  const result = answers[at]?.result;
  return typeof result === "string" && /^0x[0-9a-f]+$/i.test(result) ? BigInt(result) : undefined;
}

/** Undefined where a write's answer was lost, and what became of it is already written down. */
async function sendOnce(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  items: readonly Item[],
  writes: readonly AgreedWrite[],
): Promise<Sent | undefined> {
  const { network, signal } = task;
  const once = writes.length > 0;
  try {
    return await deps.sender.send(network, bodyOf(items, task), { signal, once });
  } catch (error) {
    markNamed(task, round, items, error);
    const mayHaveArrived = !isApiError(error) || error.details.mayHaveArrived !== false;
    if (!once || !mayHaveArrived || signal.aborted) throw error;
    for (const write of writes) await settle(deps, task, round, write, error);
    if (writes.length < items.length) throw error;
    return undefined;
  }
}

/** A 400 that comes all the same says which methods it is about: their lines are told. */
function markNamed(task: RoundTask, round: Round, items: readonly Item[], error: unknown): void {
  if (!isApiError(error) || error.kind !== "invalid-request") return;
  const words = new Set(error.message.match(/\w+/g) ?? []);
  const paths = new Set((error.details.issues ?? []).map(({ field }) => Number.parseInt(field, 10)));
  items.forEach(({ at, method }, index) => {
    if (at === headLine || !(words.has(method) || paths.has(index))) return;
    const reason = `The service refused this line: ${error.message}`;
    round.lines[at] = { outcome: { kind: "unsent", reason, refused: true } };
  });
  task.onProgress();
}

function answersFor(items: readonly Item[], { answer }: Sent): (RpcAnswer | undefined)[] {
  // One error object for a whole batch answers every item of it.
  if (!isList(answer)) return items.map(() => answer);
  const byId = new Map(answer.map((one) => [exactJsonText(one.id ?? null), one]));
  return items.map(({ written }, at) => byId.get(exactJsonText(written ? (written.id ?? null) : at + 1)));
}

function isList(answer: Sent["answer"]): answer is readonly RpcAnswer[] {
  return Array.isArray(answer);
}

function record(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  items: readonly Item[],
  sent: Sent,
  answers: readonly (RpcAnswer | undefined)[],
): void {
  const { network, plan, project, cell } = task;
  const { answer: _, ...facts } = sent;
  const call = round.calls.push({ network, items: items.length, ...facts }) - 1;
  const shares = items.map(({ method }, index) => creditsOf(network, method, answers[index], sent.replayed));
  const sum = shares.reduce((all, one) => all + one, 0);
  const agree = sent.credits === undefined || sent.replayed || sent.credits === sum;
  items.forEach(({ at, decoding }, index) => {
    if (at === headLine) return;
    const outcome = outcomeOf(answers[index]);
    const before = round.lines[at]?.credits ?? 0;
    const credits = agree ? { credits: before + (shares[index] ?? 0) } : {};
    round.lines[at] = { outcome, call, ...credits, ...(decoding ? { decoding } : {}) };
    const name = plan.lines[at]?.name;
    const definition = name
      ? definitionOf(project, name, cell, (plan.lines[at]?.statement ?? 0) + 1)
      : undefined;
    if (definition && outcome.kind === "result") deps.values.set(project, definition, network, outcome.value);
  });
}

function creditsOf(
  network: string,
  method: string,
  answer: RpcAnswer | undefined,
  replayed: boolean,
): number {
  if (network === localNetwork || replayed) return 0;
  return chargedCredits(network, [{ method, failed: answer?.error !== undefined && answer.error !== null }]);
}
