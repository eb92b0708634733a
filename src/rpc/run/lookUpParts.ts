// `@lookup` adds to the results of a round: the units of tokens, and the names of accounts.

import { membersOf } from "../../shared/members.ts";
import type { Evm } from "../evm/evm.ts";
import { readEnsName } from "../language/encode/ensNames.ts";
import type { LookUpKind } from "../language/parse/directives.ts";
import { transferTopic } from "../simulate/simulate.ts";
import { textsIn } from "./addresses.ts";
import type { LookedUp } from "./cellRun.ts";
import { readsAmount } from "./expect/tokenAmounts.ts";
import { isKnownSymbol, knownToken } from "./knownTokens.ts";
import { lookUpsOn } from "./plan/estimate.ts";
import { readBatch } from "./resolveNames.ts";
import type { Round, RoundDeps, RoundTask } from "./round.ts";

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
  const none = { success: false, returnData: "0x" };
  asked.forEach((address, at) => {
    const key = `${network} ${address}`;
    if (kind === "names") {
      const name = evm.decodeReverse(replies[at] ?? none) ?? "";
      const read = readEnsName(name);
      found.names.set(key, read && "name" in read && read.name === name ? name : null);
      return;
    }
    const token = evm.decodeToken(replies[2 * at] ?? none, replies[2 * at + 1] ?? none);
    // A fake token can copy the symbol of a known one.
    const symbol =
      token && isKnownSymbol(token.symbol) ? `of a token that calls itself ${token.symbol}` : token?.symbol;
    found.tokens.set(key, token && symbol !== undefined ? { ...token, symbol } : null);
  });
}

/** Topic of Approval(address,address,uint256). */
const approvalTopic = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b291e5b200ac8c7c3b925";
const movingSelectors = /^0x(?:a9059cbb|23b872dd|095ea7b3)/;

/** The tokens of amounts in the results that are not widely known, in lower case. */
function tokensOf({ network, lines }: Round): readonly string[] {
  const found = new Set<string>();
  const add = (address: unknown) => {
    if (typeof address === "string" && /^0x[0-9a-f]{40}$/i.test(address)) found.add(address.toLowerCase());
  };
  for (const { outcome, decoding, simulation } of lines) {
    for (const { kind, token } of simulation?.tokens ?? []) if (kind === "ERC-20") add(token);
    if (outcome.kind !== "result") continue;
    if (decoding?.by === "call" && readsAmount(decoding.signature)) add(decoding.to);
    const value = membersOf(outcome.value);
    if (typeof value.input === "string" && movingSelectors.test(value.input)) add(value.to);
    const logs = Array.isArray(outcome.value) ? outcome.value : value.logs;
    for (const log of Array.isArray(logs) ? logs : []) {
      const { address, topics } = membersOf(log);
      const [topic] = Array.isArray(topics) && topics.length === 3 ? topics : [];
      if (topic === transferTopic || topic === approvalTopic) add(address);
    }
  }
  return [...found].filter((address) => !knownToken(network, address, false));
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
