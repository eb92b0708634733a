// `@lookup` adds to the results of a round: the units of tokens, and the names of accounts.

import { membersOf } from "../../../shared/members.ts";
import type { Evm } from "../../evm/evm.ts";
import { readEnsName } from "../../language/encode/ensNames.ts";
import type { LookUpKind } from "../../language/parse/directives.ts";
import { transferTopic } from "../../simulate/simulate.ts";
import type { LookedUp } from "../cellRun.ts";
import { readsAmount } from "../expect/tokenAmounts.ts";
import { lookUpsOn } from "../plan/estimate.ts";
import type { LineState, Round, RoundDeps, RoundTask } from "../round.ts";
import { textsIn } from "./addresses.ts";
import { isKnownSymbol, knownToken, type TokenUnit } from "./knownTokens.ts";
import { readBatch } from "./resolveNames.ts";

/** Addresses of one look-up. */
const mostLookedUp = 25;

/** Looks up what is new in a round, by one eth_call for each kind. A reply that can't be read is a note. Throws ApiError. */
export async function lookUpParts(
  deps: Pick<RoundDeps, "sender" | "loadEvm">,
  task: Pick<RoundTask, "plan" | "network" | "signal">,
  round: Round,
  found: LookedUp,
): Promise<void> {
  const { plan, network, signal } = task;
  for (const kind of lookUpsOn(plan, network)) {
    signal.throwIfAborted();
    const all = kind === "tokens" ? tokensOf(round) : accountsOf(round);
    const asked = all.filter((address) => !found[kind].has(`${network} ${address}`)).slice(0, mostLookedUp);
    if (asked.length > 0) await lookUp(await deps.loadEvm(), deps, task, round, { kind, asked, found });
  }
}

interface Asked {
  readonly kind: LookUpKind;
  readonly asked: readonly string[];
  readonly found: LookedUp;
}

async function lookUp(
  evm: Evm,
  deps: Pick<RoundDeps, "sender" | "loadEvm">,
  { network, signal }: Pick<RoundTask, "network" | "signal">,
  round: Round,
  { kind, asked, found }: Asked,
): Promise<void> {
  const reads = asked.flatMap((one) => (kind === "tokens" ? evm.encodeToken(one) : [evm.encodeReverse(one)]));
  const replies = await readBatch(deps, { network, signal }, round, reads);
  if ("reason" in replies) {
    const [first] = round.lines;
    const note = `@lookup ${kind} found nothing, because ${replies.reason}`;
    if (first) round.lines[0] = { ...first, note: first.note ? `${first.note}. ${note}` : note };
    return;
  }
  const reply = (at: number): Reply => replies[at] ?? { success: false, returnData: "0x" };
  asked.forEach((address, at) => {
    const key = `${network} ${address}`;
    if (kind === "names") found.names.set(key, nameIn(evm, reply(at)));
    else found.tokens.set(key, tokenIn(evm, reply(2 * at), reply(2 * at + 1)));
  });
}

type Reply = Parameters<Evm["decodeReverse"]>[0];

/** Null for no name, and for one that is not written in its normal form. */
function nameIn(evm: Evm, reply: Reply): string | null {
  const name = evm.decodeReverse(reply) ?? "";
  const read = readEnsName(name);
  return read && "name" in read && read.name === name ? name : null;
}

function tokenIn(evm: Evm, symbol: Reply, decimals: Reply): TokenUnit | null {
  const token = evm.decodeToken(symbol, decimals);
  if (!token) return null;
  // A fake token can copy the symbol of a known one.
  return isKnownSymbol(token.symbol)
    ? { ...token, symbol: `of a token that calls itself ${token.symbol}` }
    : token;
}

/** Topic of Approval(address,address,uint256). */
const approvalTopic = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b291e5b200ac8c7c3b925";
const movingSelectors = /^0x(?:a9059cbb|23b872dd|095ea7b3)/;

/** The tokens of amounts in the results that are not widely known, in lower case. */
function tokensOf({ network, lines }: Round): readonly string[] {
  const found = new Set<string>();
  for (const line of lines)
    for (const address of tokensOfLine(line))
      if (typeof address === "string" && /^0x[0-9a-f]{40}$/i.test(address)) found.add(address.toLowerCase());
  return [...found].filter((address) => !knownToken(network, address, false));
}

/** What stands in the places of tokens, in the order of their look-up. */
function tokensOfLine({ outcome, decoding, simulation }: LineState): readonly unknown[] {
  const simulated = (simulation?.tokens ?? []).filter(({ kind }) => kind === "ERC-20");
  const found: unknown[] = simulated.map(({ token }) => token);
  if (outcome.kind !== "result") return found;
  if (decoding?.by === "call" && readsAmount(decoding.signature)) found.push(decoding.to);
  const value = membersOf(outcome.value);
  if (typeof value.input === "string" && movingSelectors.test(value.input)) found.push(value.to);
  const logs = Array.isArray(outcome.value) ? outcome.value : value.logs;
  for (const log of Array.isArray(logs) ? logs : []) if (movesAmount(log)) found.push(membersOf(log).address);
  return found;
}

/** True for the log of a transfer or an approval of a token with amounts. */
function movesAmount(log: unknown): boolean {
  const { topics } = membersOf(log);
  const [topic] = Array.isArray(topics) && topics.length === 3 ? topics : [];
  return topic === transferTopic || topic === approvalTopic;
}

/** The addresses of the results, also in topics, in lower case. */
function accountsOf({ lines }: Round): readonly string[] {
  const found = new Set<string>();
  for (const { outcome } of lines) {
    if (outcome.kind !== "result") continue;
    for (const text of textsIn(outcome.value)) {
      // A topic with a small number is no address.
      const address = /^0x(?:0{24}(?!0{8}))?([0-9a-f]{40})$/i.exec(text.length <= 66 ? text : "")?.[1];
      if (address !== undefined && !/^0+$/.test(address)) found.add(`0x${address.toLowerCase()}`);
      if (found.size >= mostLookedUp * 40) return [...found];
    }
  }
  return [...found];
}
