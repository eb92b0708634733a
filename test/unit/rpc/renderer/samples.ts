import type {
  Json,
  RpcLine,
  RpcNetwork,
  RpcOutcome,
  RpcOutput,
} from "../../../../src/rpc/output/rpcOutput.ts";
import type { RpcCall } from "../../../../src/rpc/output/rpcRun.ts";
import type { RpcResultView } from "../../../../src/shared/rpc/resultView.ts";
import { exactJsonText } from "../../../../src/shared/text/json/exactJson.ts";

export const atMs = Date.UTC(2026, 4, 1, 12);
export const mainnet: RpcNetwork = { slug: "ethereum-mainnet", isMainnet: true, coin: "ETH" };
export const testnet: RpcNetwork = { slug: "polygon-amoy", isMainnet: false, coin: "POL" };

export function result(view: RpcResultView, value: Json, more: object = {}): RpcOutcome {
  return { kind: "result", view, value, bytes: exactJsonText(value).length, ...more };
}

export function lineOf(method: string, outcome: RpcOutcome, more: Partial<RpcLine> = {}): RpcLine {
  const network = more.network ?? mainnet.slug;
  const line = more.line ?? 0;
  return {
    key: `${network}/${line}`,
    network,
    line,
    source: method,
    method,
    call: 0,
    credits: 20,
    outcome,
    ...more,
  };
}

export function callOf(more: Partial<RpcCall> = {}): RpcCall {
  return {
    network: mainnet.slug,
    items: 1,
    ms: 84,
    credits: 20,
    usd: 0.0000125,
    requestId: "req_5f1c7e2a9b",
    replayed: false,
    resends: 0,
    status: 200,
    ...more,
  };
}

let runs = 0;

/** A separate run by default. */
export function outputOf(lines: readonly RpcLine[], more: Partial<RpcOutput> = {}): RpcOutput {
  const credits = lines.reduce((sum, line) => sum + (line.credits ?? 0), 0);
  return {
    version: 1,
    runId: `run-${++runs}`,
    atMs,
    done: true,
    networks: [mainnet],
    lines,
    calls: [callOf({ items: lines.length, credits, usd: credits * 6.25e-7 })],
    total: { credits, usd: credits * 6.25e-7, estimatedCredits: credits, ms: 84 },
    ...more,
  };
}

const hash = (digit: string) => `0x${digit.repeat(64)}`;
export const alice = "0xd8da6bf26964af9d7eed9e03e53415d37aa96045";
export const token = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";

export const transaction = {
  hash: hash("a"),
  from: alice,
  to: token,
  value: "0x14d1120d7b160000",
  nonce: "0x2a",
  gas: "0x5208",
  type: "0x2",
  maxFeePerGas: "0x6fc23ac00",
  maxPriorityFeePerGas: "0x3b9aca00",
  blockNumber: "0x121eac0",
  blockHash: hash("b"),
  transactionIndex: "0x1",
  input: `0xa9059cbb${"0".repeat(24)}${alice.slice(2)}${"f4240".padStart(64, "0")}`,
  chainId: "0x1",
};

export const block = {
  number: "0x121eac0",
  hash: hash("b"),
  parentHash: hash("c"),
  timestamp: `0x${(Math.floor(atMs / 1000) - 42).toString(16)}`,
  miner: alice,
  gasUsed: "0xe4e1c0",
  gasLimit: "0x1c9c380",
  baseFeePerGas: "0x2cb417800",
  size: "0xd3f1",
  extraData: "0x6265617665726275696c642e6f7267",
  logsBloom: `0x${"00".repeat(256)}`,
  uncles: [],
  transactions: Array.from({ length: 60 }, (_, at) => ({ ...transaction, nonce: `0x${at.toString(16)}` })),
};

const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
export const log = {
  address: token,
  topics: [transferTopic, hash("1"), hash("2")],
  data: hash("3"),
  blockNumber: "0x121eac0",
  logIndex: "0x0",
};
export const transferEvent = {
  name: "Transfer",
  values: [
    { name: "from", type: "address", value: alice },
    { name: "to", type: "address", value: token },
    {
      name: "value",
      type: "uint256",
      value: "115792089237316195423570985008687907853269984665640564039457584007913129639935",
    },
  ],
};

export const receipt = {
  transactionHash: hash("a"),
  status: "0x1",
  from: alice,
  to: token,
  contractAddress: null,
  blockNumber: "0x121eac0",
  gasUsed: "0xb411",
  effectiveGasPrice: "0x2dbf1a980",
  cumulativeGasUsed: "0x1b4110",
  type: "0x2",
  logs: [log, { ...log, topics: [hash("9")], data: "0x1234" }],
  logsBloom: `0x${"00".repeat(256)}`,
};

export const feeHistory = {
  oldestBlock: "0x121eaa0",
  baseFeePerGas: Array.from(
    { length: 21 },
    (_, at) => `0x${(12_000_000_000 + Math.round(Math.sin(at / 3) * 2e9)).toString(16)}`,
  ),
  gasUsedRatio: Array.from({ length: 20 }, (_, at) => 0.5 + Math.sin(at) * 0.4),
  reward: Array.from({ length: 20 }, (_, at) => [
    "0x5f5e100",
    `0x${(1_000_000_000 + at * 50_000_000).toString(16)}`,
  ]),
};

export const callTrace = {
  type: "CALL",
  from: alice,
  to: token,
  value: "0xde0b6b3a7640000",
  gas: "0x30d40",
  gasUsed: "0x1d4c0",
  input: transaction.input,
  output: hash("0"),
  calls: [
    {
      type: "STATICCALL",
      from: token,
      to: alice,
      gas: "0x10000",
      gasUsed: "0x9c40",
      input: "0x70a08231",
      output: hash("4"),
    },
    {
      type: "DELEGATECALL",
      from: token,
      to: "0x43506849d7c04f9138d1a2050bbf3a0c054402dd",
      gas: "0x10000",
      gasUsed: "0xc350",
      input: transaction.input,
      calls: [
        {
          type: "CALL",
          from: token,
          to: alice,
          gas: "0x2710",
          gasUsed: "0x1388",
          input: "0x23b872dd",
          error: "execution reverted",
          revertReason: "not enough",
        },
      ],
    },
  ],
};

/** The flat form of trace_transaction. */
export const flatTrace = [
  {
    action: { callType: "call", from: alice, to: token, value: "0x0", gas: "0x30d40", input: "0xa9059cbb" },
    result: { gasUsed: "0x1d4c0", output: "0x" },
    traceAddress: [],
    subtraces: 2,
    type: "call",
    transactionHash: hash("a"),
  },
  {
    action: {
      callType: "staticcall",
      from: token,
      to: alice,
      value: "0x0",
      gas: "0x10000",
      input: "0x70a08231",
    },
    result: { gasUsed: "0x9c40", output: "0x" },
    traceAddress: [0],
    subtraces: 0,
    type: "call",
    transactionHash: hash("a"),
  },
  {
    action: { from: token, init: "0x6080", value: "0x0", gas: "0x100" },
    error: "out of gas",
    traceAddress: [1],
    subtraces: 0,
    type: "create",
    transactionHash: hash("a"),
  },
];
