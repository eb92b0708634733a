import { creditsAmount } from "../api/money/estimate.ts";
import { mostCredits } from "../api/money/rpcCredits.ts";
import { Refusal } from "../platform/errors/refusal.ts";
import type { Client } from "../session/session.ts";
import { messageOf } from "../shared/messageOf.ts";
import { serviceToolNames } from "../shared/names/ids.ts";
import { localNetwork } from "../shared/rpc/networks.ts";
import type { ChainCall, ChainHelp } from "./chain/chainHelp.ts";
import { createChainAction, effectOfCall, parametersText, unknownEffect } from "./serviceActions.ts";
import { inputText, type ServiceTool, type ToolInput, type ToolQuestion } from "./serviceTool.ts";

/**
 * The content of a signed transaction, one fact a line: sender, receiver, value, fee, call. Throws an Error with the
 * reason if it can't be decoded, or is signed for another chain.
 */
export type DescribeWrite = (write: ChainCall) => Promise<readonly string[]>;

export function createChainTool(describeWrite: DescribeWrite, chain: ChainHelp): ServiceTool {
  const callChainAction = createChainAction(chain);
  return {
    name: serviceToolNames.callChain,
    title: callChainAction.title,
    description: `${callChainAction.description} Reading methods ask the user only if the settings ask for every price. Methods that send a signed transaction, such as eth_sendRawTransaction, show it decoded and always ask the user, as do methods that are not known to only read. Methods for which the node signs, such as eth_sendTransaction and personal_*, are refused. Costs credits by the method: usually less than $0.0001.`,
    userDescription:
      "Calls a blockchain. Signed transactions are shown decoded, and you are asked each time.",
    parameters: callChainAction.parameters,
    isReadOnly: false,
    prepare: (input, client) => prepareCall(callChainAction.summary(input), input, client, describeWrite),
    async run(input, client, signal) {
      effectOfCall(inputText(input, "method"));
      const text = await callChainAction.run(input, { client: async () => client, files: noFiles }, signal);
      return [{ kind: "text", text }];
    },
  };
}

async function prepareCall(
  summary: string,
  input: ToolInput,
  client: Client,
  describeWrite: DescribeWrite,
): Promise<ToolQuestion> {
  const [network, method] = [inputText(input, "network"), inputText(input, "method")];
  const effect = effectOfCall(method);
  const isLocal = network === localNetwork;
  const credits = isLocal ? 0 : mostCredits(network, [method]);
  const usd = creditsAmount(credits, client.dialect.usdPerCredit).usd?.[1];
  const receives = `${isLocal ? "The node on this machine" : client.connection.name} receives the call.`;
  if (effect === "reads") return { summary, usd, asks: "never", details: [receives], button: "Call" };
  if (effect === "unknown") {
    const details = [unknownEffect, `Parameters: ${parametersText(input)}`, "", receives];
    return { summary, usd, asks: "always", details, button: "Call" };
  }
  const params = Array.isArray(input.params) ? input.params : [];
  const facts = await describeWrite({ network, method, params }).catch((error: unknown) => {
    const reason = messageOf(error);
    throw new Refusal(`${method} was not sent: ${reason}`);
  });
  const details = [...facts, "", receives, "A transaction can't be undone."];
  return { summary: `Send a transaction to ${network}`, usd, asks: "always", details, button: "Send" };
}

const noFiles = {
  read: async (path: string) => {
    throw new Refusal(`${path} was not read: a call of a chain has no file.`);
  },
};
