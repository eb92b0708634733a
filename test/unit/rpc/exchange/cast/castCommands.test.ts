// Each command of cast that reads a node or computes a value becomes a line that means the same.
import assert from "node:assert/strict";
import { test } from "node:test";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import { readWords, usualNode } from "../../../../../src/rpc/exchange/request/readRequest.ts";
import { wireOf } from "../../../../../src/rpc/exchange/request/wireOf.ts";
import { refusalOf } from "../../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { projectOf } from "../../notebook.ts";

const address = `0x${"11".repeat(20)}`;
const hash = `0x${"ab".repeat(32)}`;

function pasted(command: string): string {
  return readWords(["cast", ...command.split(" ")], usualNode)?.text ?? assert.fail(command);
}

const calls: readonly (readonly [command: string, method: string, params: unknown])[] = [
  [`run ${hash}`, "debug_traceTransaction", [hash, { tracer: "callTracer" }]],
  [`run ${hash} --quick`, "debug_traceTransaction", [hash, { tracer: "callTracer" }]],
  [
    `implementation ${address}`,
    "eth_getStorageAt",
    [address, "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc", "latest"],
  ],
  [
    `admin ${address}`,
    "eth_getStorageAt",
    [address, "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103", "latest"],
  ],
  [`call ${address} 0x70a08231`, "eth_call", [{ to: address, data: "0x70a08231" }, "latest"]],
  [`call ${address} --data 0x18160ddd`, "eth_call", [{ to: address, data: "0x18160ddd" }, "latest"]],
  [`access-list ${address} f()`, "eth_createAccessList", [{ to: address, data: "0x26121ff0" }, "latest"]],
  [`estimate ${address} 0x26121ff0`, "eth_estimateGas", [{ to: address, data: "0x26121ff0" }, "latest"]],
  [`codesize ${address}`, "eth_getCode", [address, "latest"]],
  ["base-fee", "eth_getBlockByNumber", ["latest", false]],
  ["chain", "eth_chainId", []],
  ["txpool status", "txpool_status", []],
  [`proof ${address} 0x0`, "eth_getProof", [address, ["0x0"], "latest"]],
  [`storage ${address} 0x0 -b 17`, "eth_getStorageAt", [address, "0x0", "0x11"]],
];
for (const [command, method, params] of calls)
  test(`cast ${command}`, () => {
    const project = projectOf([pasted(command)]);
    assert.equal(refusalOf(project, 0, evm), undefined);
    const { text } = wireOf(project, 0, evm, () => undefined);
    const sent = JSON.parse(text) as { readonly method: string; readonly params: unknown };
    assert.deepEqual([sent.method, sent.params], [method, params]);
  });

const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const constants: readonly (readonly [command: string, name: string, value: string])[] = [
  ["keccak hello", "hash", "0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8"],
  ["keccak 0x1234", "hash", "0x56570de287d73cd1cb6092bb8fdee6173974955fdef345ae579ee9f475ea7432"],
  [
    "sig transfer(address,uint256)",
    "hash",
    "0xa9059cbb2ab09eb219583f4a59a5d0623ade346d962bcd4e46b11da047c9049b",
  ],
  ["sig-event Transfer(address,address,uint256)", "topic0", transferTopic],
  ["calldata f()", "data", "0x26121ff0"],
  ["to-wei 1.5", "value", "0x14d1120d7b160000"],
  ["to-wei 1.5 gwei", "value", "0x59682f00"],
  ["to-wei 2gwei", "value", "0x77359400"],
  ["from-wei 0x10", "value", "0x10"],
  ["to-hex 255", "value", "0xff"],
  ["to-dec 0xff", "value", "0xff"],
  ["parse-units 1.5 6", "value", "0x16e360"],
  ["from-utf8 hi", "bytes", "0x6869"],
  ["max-uint", "limit", `0x${"f".repeat(64)}`],
  ["max-uint uint8", "limit", "0xff"],
  ["max-int 8", "limit", "0x7f"],
  ["address-zero", "zero", `0x${"0".repeat(40)}`],
];
for (const [command, name, value] of constants)
  test(`cast ${command} is a constant`, () => {
    const text = pasted(command);
    const { text: sent } = wireOf(projectOf([`${text}\nx_use $${name}`]), 0, evm, () => undefined);
    const given = /"params":\["?(\w+)"?\]/.exec(sent)?.[1] ?? "";
    const hex = /^\d+$/.test(given) ? `0x${BigInt(given).toString(16)}` : given;
    assert.equal(hex, value, text);
  });

for (const command of [
  "to-wei x",
  "to-wei 1 day",
  "parse-units 1.23456789 6",
  "max-uint 7",
  "run 0x12",
  "txpool drop",
])
  test(`cast ${command} is no line, and the cell says so`, () => {
    assert.match(pasted(command), /^# Not converted: cast/);
  });
