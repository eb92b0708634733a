import { isApiError } from "../../../api/errors/errors.ts";
import { writesToChain } from "../../../shared/rpc/catalog/catalog.ts";
import { coinOf } from "../../../shared/rpc/networks.ts";
import type { Evm } from "../../evm/evm.ts";
import type { Simulating } from "../../fork/forks.ts";
import type { RpcSimulation } from "../../output/rpcOutput.ts";
import { scaled } from "../../output/scaled.ts";
import {
  type AskNode,
  type AskNodes,
  canFork,
  type Decoders,
  type Effects,
  isSimulated,
  type NodeReply,
  type SimulatedCall,
  type SimulateOnFork,
  simulate,
  toSimulation,
} from "../../simulate/simulate.ts";
import { errorsIn, eventsIn } from "../expect/outcome.ts";
import { hiddenIn, hiddenText } from "../hideSecrets.ts";
import type { NotebookPlan } from "../plan/runPlan.ts";
import type { Item, LineState, Round, RoundDeps, RoundTask } from "../round.ts";
import { sendCalls } from "../senders.ts";
import { type Given, giveBalances } from "./giveBalances.ts";
import { callText, type Fact } from "./writeFacts.ts";
import { checkWrite } from "./writes.ts";

/** Simulates the writes of a request on the newest state. The request itself is not sent. */
export async function simulateWrites(
  deps: RoundDeps,
  simulating: Simulating,
  task: RoundTask,
  round: Round,
  items: readonly Item[],
): Promise<void> {
  const evm = await deps.loadEvm();
  for (const item of items) {
    const before = round.calls.length;
    const state = writesToChain(item.method)
      ? await simulateWrite(evm, task, item, async (call) => {
          const ask = askNodes(deps, task, round);
          const given = await givenTo(call, ask, task, evm);
          if ("reason" in given) return given;
          const { state, facts } = given;
          const effects = await simulate(
            call,
            askNode(ask, simulating, task),
            onFork(simulating, ask, task),
            state,
          );
          return "reason" in effects ? effects : { effects, given: facts };
        })
      : {
          ...unsent("Left out: it is in one request with a transaction that was simulated and not sent"),
          isLeftOut: true as const,
        };
    const credits = round.calls.slice(before).reduce((sum, one) => sum + (one.credits ?? 0), 0);
    const call = round.calls.length > before ? { call: round.calls.length - 1, credits } : {};
    round.lines[item.at] = { ...state, ...call };
    task.onProgress();
  }
}

interface Simulated {
  readonly effects: Effects;
  /** The balances that it found. */
  readonly given: readonly Fact[];
}

/** The balances of the cell's `@give` for this transaction. */
async function givenTo(
  { from }: SimulatedCall,
  ask: AskNodes,
  { plan, network }: RoundTask,
  evm: Evm,
): Promise<Given | { readonly reason: string }> {
  const found = await giveBalances(plan.gives, ask, { network, sender: from, evm });
  return "reason" in found ? { reason: `Not simulated: ${found.reason}` } : found;
}

async function simulateWrite(
  evm: Evm,
  task: RoundTask,
  item: Item,
  effectsOf: (call: SimulatedCall) => Promise<Simulated | { readonly reason: string }>,
): Promise<LineState> {
  const { plan, network } = task;
  const { method } = item;
  if (!isSimulated(method)) return unsent(`Not sent. ${method} can't be simulated, only EVM transactions`);
  const checked = checkWrite(evm, item, network);
  if ("reason" in checked) return unsent(checked.reason);
  const call = callOf(evm, item);
  if (!call) return unsent("Not simulated, because the transaction is no object with members");
  if (call.from === undefined && method === "eth_sendRawTransaction")
    return unsent("Not simulated, because the signature is invalid, so the sender is unknown");
  const simulated = await effectsOf(call);
  if ("reason" in simulated) return unsent(hiddenText(simulated.reason, plan.notebook.hide));
  const facts = [...factsOf(evm, task, call, checked.write.facts), ...simulated.given];
  const shown = toSimulation(
    withoutAuthorizations(simulated.effects, facts),
    facts,
    decodersOf(evm, plan.notebook),
  );
  const { hide } = plan.notebook;
  // The call itself, which no node answered, may have been given a secret.
  const simulation = hide ? (hiddenIn(shown, hide) as RpcSimulation) : shown;
  const { status, revert, message, gasUsed, notForked } = simulation;
  const why = revert?.reason ?? revert?.name ?? message;
  const gas = gasUsed === undefined ? "" : ` Gas: ${gasUsed}.`;
  const ends = {
    success: "it succeeds",
    reverted: `it reverts: ${why}`,
    refused: `the node refuses it: ${why}`,
  };
  const unforked = notForked === undefined ? "" : ` ${notForked}.`;
  const reason = `Simulated by ${simulation.method}, not sent: ${ends[status]}.${gas}${unforked}`;
  return { ...unsent(reason), simulation };
}

function unsent(reason: string): LineState {
  return { outcome: { kind: "unsent", reason } };
}

/** The call that a write makes; undefined if its parameters have another form. */
function callOf(evm: Evm, { method, params }: Item): SimulatedCall | undefined {
  const given = params?.[0];
  if (method === "eth_sendRawTransaction") return evm.readCall(String(given));
  if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
  const { from, to, value, input, data, gas, accessList } = given as Readonly<Record<string, string>>;
  const members = { from, to, value, input: input ?? data, gas, accessList };
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined));
}

function factsOf(
  evm: Evm,
  { plan, network }: RoundTask,
  call: SimulatedCall,
  facts: readonly Fact[],
): readonly Fact[] {
  const called = evm.decodeCalldata(call.input ?? "0x", plan.notebook.functions);
  const isKept = (name: string) => name === "To" || name === "Value" || name === "Fee";
  const kept = facts.filter(([name]) => isKept(name));
  const authorized = facts.filter(([name]) => isAuthorization(name));
  const value = /^0x[0-9a-f]{1,64}$/i.test(call.value ?? "") ? BigInt(call.value ?? 0) : 0n;
  const own: readonly Fact[] = [
    ["To", call.to ?? "a new contract"],
    ["Value", `${scaled(value, 18)} ${coinOf(network)}`],
  ];
  return [
    ["From", call.from ?? "the first account of the node"],
    ...(kept.length > 0 ? kept : own),
    ...authorized,
    ...(called ? [["Call", callText(called)] as const] : []),
  ];
}

function isAuthorization(name: string): boolean {
  return name.startsWith("Authorization ");
}

/** No method takes the authorizations, so what the delegated code does is not known. */
function withoutAuthorizations(effects: Effects, facts: readonly Fact[]): Effects {
  if (!facts.some(([name]) => isAuthorization(name))) return effects;
  return { ...effects, unknown: ["the effects of its authorizations", ...effects.unknown] };
}

function decodersOf(evm: Evm, { declared }: NotebookPlan): Decoders {
  return {
    event: (log) => evm.decodeLog(log, eventsIn(declared)),
    revert: (data) => evm.decodeRevert(data, errorsIn(declared)),
    checksummed: evm.checksummed,
  };
}

const methodNotFound = -32_601;

/** Sends calls of a simulation as a request of the cell. */
function askNodes({ sender }: RoundDeps, { network, signal }: RoundTask, round: Round): AskNodes {
  return async (calls) => {
    signal.throwIfAborted();
    const { replies, sent } = await sendCalls(sender, network, calls, signal);
    const { answer: _, ...facts } = sent;
    round.calls.push({ network, items: calls.length, ...facts });
    return replies;
  };
}

/** A method that is missing is asked for once. */
function askNode(ask: AskNodes, { unoffered }: Simulating, { network, signal }: RoundTask): AskNode {
  return async (method, params): Promise<NodeReply> => {
    const key = `${network} ${method}`;
    const notOffered = (message: string) => ({ error: { code: methodNotFound, message } });
    if (unoffered.has(key)) return notOffered("not offered");
    try {
      const [reply = notOffered("no response")] = await ask([{ method, params }]);
      if ("error" in reply && reply.error.code === methodNotFound) unoffered.add(key);
      return reply;
    } catch (error) {
      // The service refuses methods that it does not offer, and charges nothing.
      const isRefusal = isApiError(error) && error.kind === "invalid-request";
      // An address that is not allowed was never asked.
      if (signal.aborted || !isRefusal || error.details.mayHaveArrived === false) throw error;
      unoffered.add(key);
      return notOffered(error.message);
    }
  };
}

/** Only if anvil is there, and executes transactions as the network does. */
function onFork(
  { forks }: Simulating,
  ask: AskNodes,
  { network, signal }: RoundTask,
): SimulateOnFork | undefined {
  if (!forks || !canFork(network)) return undefined;
  return (call, state) => forks.simulate(network, call, ask, signal, state);
}
