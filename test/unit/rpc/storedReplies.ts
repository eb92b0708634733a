import { concat, type Hex, keccak256, padHex, slice } from "viem";
import type { RefusingNode } from "./refusingNode.ts";

// Viem does not export it.
const contracts = import.meta.resolve("viem").replace(/index\.js$/, "constants/contracts.js");
const { multicall3Bytecode } = (await import(contracts)) as { readonly multicall3Bytecode: Hex };

/** Returns the code of the account whose address is the hash of the calldata and the contract's own address. */
const replier = "0x366000600037303652366020016000208" + "03b8015602157806000600084" + "3c6000f35b60006000fd";

/** Makes a contract of the node answer this calldata with these bytes, and any other with a revert. */
export async function storeReply(node: RefusingNode, to: Hex, calldata: Hex, reply: Hex): Promise<void> {
  await node.ask("anvil_setCode", to, replier);
  await node.ask("anvil_setCode", slice(keccak256(concat([calldata, padHex(to, { size: 32 })])), 12), reply);
}

/** The real Multicall3 at its address. */
export async function deployMulticall(node: RefusingNode): Promise<void> {
  const [from] = (await node.ask("eth_accounts")) as Hex[];
  const hash = await node.ask("eth_sendTransaction", { from, data: multicall3Bytecode, gas: "0x400000" });
  await node.ask("anvil_mine", "0x1");
  const receipt = (await node.ask("eth_getTransactionReceipt", hash)) as { contractAddress: Hex };
  const code = await node.ask("eth_getCode", receipt.contractAddress, "latest");
  await node.ask("anvil_setCode", "0xca11bde05977b3631167028862be2a173976ca11", code);
}
