import { encodeErrorResult, encodeFunctionData, parseAbi } from "viem";

export const abi = parseAbi([
  "function transfer(address to, uint256 amount)",
  "function approve(address spender, uint256 amount)",
  "error Error(string)",
  "error Panic(uint256)",
  "error TooPoor(address who, uint256 missing)",
]);
/** Contracts of a few instructions. */
export const contracts = {
  // Stores the second argument in the slot of the first, logs Approval, returns true.
  token: [
    "0x1000000000000000000000000000000000000001",
    "0x6024356004355560243560005260043533" +
      "7f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b291e5b200ac8c7c3b9255" +
      "60206000a360016000526020" +
      "6000f3",
  ],
  // The same with Transfer.
  coin: [
    "0x1000000000000000000000000000000000000002",
    "0x6024356004355560243560005260043533" +
      "7fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef" +
      "60206000a360016000526020" +
      "6000f3",
  ],
  // Reverts with its calldata.
  reverter: ["0x1000000000000000000000000000000000000003", "0x366000600037366000fd"],
  // Sends the value on to the address in its calldata.
  forwarder: ["0x1000000000000000000000000000000000000004", "0x600060006000600034600035" + "5af100"],
} as const;

/** Numbers that are the same in each run. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export interface Call {
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly data: string;
  readonly gas: string;
}

/** A transfer, a call of a token or a revert, between some of the accounts. */
export function randomCall(random: (below: number) => number, accounts: readonly string[]): Call {
  const account = () => accounts[random(accounts.length)] as `0x${string}`;
  const amount = random(4) === 0 ? 0n : BigInt(random(1e9)) ** 2n;
  const call = { from: account(), to: account() as string, value: "0x0", data: "0x", gas: "0x30d40" };
  const args = [account(), amount] as const;
  switch (random(5)) {
    case 0:
      return { ...call, value: `0x${amount.toString(16)}` };
    case 1:
      return {
        ...call,
        to: contracts.coin[0],
        data: encodeFunctionData({ abi, functionName: "transfer", args }),
      };
    case 2:
      return {
        ...call,
        to: contracts.token[0],
        data: encodeFunctionData({ abi, functionName: "approve", args }),
      };
    case 3: {
      const data = `0x${account().slice(2).padStart(64, "0")}`;
      return { ...call, to: contracts.forwarder[0], value: `0x${amount.toString(16)}`, data };
    }
    default:
      return { ...call, to: contracts.reverter[0], data: randomError(random, args) };
  }
}

function randomError(random: (below: number) => number, args: readonly [`0x${string}`, bigint]): string {
  const kind = random(3);
  if (kind === 0) return encodeErrorResult({ abi, errorName: "Error", args: [`no ${random(1e6)}`] });
  if (kind === 1) return encodeErrorResult({ abi, errorName: "Panic", args: [17n] });
  return encodeErrorResult({ abi, errorName: "TooPoor", args });
}
