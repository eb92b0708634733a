// The runner's expectations before a real node: balances, gas, a custom error of a contract.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { encodeErrorResult, parseAbi } from "viem";
import { findAnvil, type NodeProcess, startNode } from "../../../../../src/platform/process/anvil.ts";
import { runHeadless } from "../../../../../src/rpc/cli/command.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";

let node: NodeProcess;
before(async () => {
  const anvil = await findAnvil({ folders: [import.meta.dirname], searchPath: process.env.PATH });
  assert.ok(anvil, "anvil is missing: run npm ci");
  node = await startNode(anvil, { chainId: 31_337, genesisMs: Date.now() }, new AbortController().signal);
});
after(() => node.close());

const from = "0x00000000000000000000000000000000000000a1";
const to = "0x00000000000000000000000000000000000000b2";
const bank = "0x00000000000000000000000000000000000000c3";

/** Code that reverts each call with this data. */
function reverting(data: string): string {
  const length = ((data.length - 2) / 2).toString(16).padStart(2, "0");
  return `0x60${length}600c60003960${length}6000fd${data.slice(2)}`;
}

test("a notebook sends, waits, and checks the effects exactly", async () => {
  const error = "error TooPoor(uint256 has, uint256 needs)";
  const code = reverting(encodeErrorResult({ abi: parseAbi([error]), args: [5n, 7n] }));
  const cells = [
    `anvil_setBalance ${from} 3 ether\nanvil_impersonateAccount ${from}\nanvil_setCode ${bank} ${code}`,
    `chain = eth_chainId\nexpect $chain == 31_337`,
    [
      `tx = eth_sendTransaction { from: ${from}, to: ${to}, value: 1.25 ether, gas: 21000 }`,
      "receipt = wait $tx",
      "expect gas == 21_000",
      "expect $receipt.status == 1",
      "expect $receipt.logs.length == 0",
      `expect $receipt.to == ${to}`,
    ].join("\n"),
    [
      `paid = eth_getBalance ${to} latest`,
      `left = eth_getBalance ${from} latest`,
      "expect $paid == 1.25 ether",
      "expect $left < 1.75 ether",
      "expect $left > 1.74 ether",
    ].join("\n"),
    [
      `@abi "${error}"`,
      `call ${bank} draw(uint256) 7`,
      'expect error "TooPoor"',
      'expect error "(5, 7)"',
      "expect error 3",
    ].join("\n"),
    `late = eth_getBalance ${to} latest\nexpect $late == 1.25 gwei`,
  ];
  const file = join(temporaryFolder(), "node.rpc.md");
  writeFileSync(file, cells.map((cell) => `\`\`\`rpc\n${cell}\n\`\`\`\n`).join("\n"));
  const printed: string[] = [];
  await runHeadless({
    args: [file, "--network", "local", "--local-node", `http://127.0.0.1:${node.port}`, "--allow-writes"],
    env: {},
    signal: new AbortController().signal,
    print: (line) => void printed.push(line),
    printError: (line) => void printed.push(line),
    startSandbox: () => assert.fail("not needed"),
  });
  assert.deepEqual(
    printed.slice(0, -1).map((line) => line.split(" ")[0]),
    ["ok", "ok", "ok", "ok", "ok", "FAIL"],
    printed.join("\n"),
  );
  assert.match(
    printed[5] ?? "",
    /expected == 1\.25 gwei, actual 1250000000 gwei, difference \+1249999998\.75 gwei/,
  );
});
