// @give adds a balance in a simulation by a real node: for tokens with the layouts of real ones the slot is found, and
// one that is not the balance alone is refused by name.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { getAddress } from "viem";
import { findAnvil } from "../../../../src/platform/process/anvil.ts";
import { createForks } from "../../../../src/rpc/fork/forks.ts";
import { diagnose } from "../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { outputText } from "../../../../src/rpc/run/output.ts";
import { estimateSimulation } from "../../../../src/rpc/run/plan/estimate.ts";
import { planCell } from "../../../../src/rpc/run/plan/plan.ts";
import { projectOf } from "../notebook.ts";
import { openRefusingNode, type RefusingNode } from "../refusingNode.ts";
import { senderTo, simulateLines } from "../simulated.ts";
import { frontCode, implementationSlot, layouts, proxyCode, tokenCode } from "./tokenCode.ts";

const holder = `0x${"a1".repeat(20)}`;
const other = `0x${"b2".repeat(20)}`;
const token = `0x${"70".repeat(20)}`;
const second = `0x${"71".repeat(20)}`;
const word = (value: bigint | string) => `0x${BigInt(value).toString(16).padStart(64, "0")}`;

let node: RefusingNode;
before(async () => {
  node = await openRefusingNode();
});
after(() => node.close());

const setCode = (address: string, code: string) => node.ask("anvil_setCode", address, code);

/** A transfer of 1,000 USDC by an account that has none. */
const transfer = (to: string, amount = 1_000_000_000n) =>
  `eth_sendTransaction { from: ${holder}, to: ${to}, data: abi("transfer(address,uint256)", ${other}, ${amount}) }`;

async function given(lines: string, refused: readonly string[] = []) {
  node.refused = refused;
  const output = await simulateLines(lines, senderTo(node.url));
  const [line] = output.lines;
  const { simulation, outcome } = line ?? {};
  return { simulation, reason: outcome?.kind === "unsent" ? outcome.reason : outputText(output) };
}

const found: readonly (readonly [title: string, setUp: () => Promise<unknown>])[] = [
  ...[0, 1, 2, 3, 9, 51].map(
    (position) =>
      [
        `a mapping of Solidity at position ${position}`,
        () => setCode(token, tokenCode({ slot: layouts.solidity(position) })),
      ] as const,
  ),
  ...[0, 3, 18].map(
    (position) =>
      [
        `a map of Vyper at position ${position}`,
        () => setCode(token, tokenCode({ slot: layouts.vyper(position) })),
      ] as const,
  ),
  ["Solady's ERC20", () => setCode(token, tokenCode({ slot: layouts.solady() }))],
  [
    "the storage of ERC20Upgradeable",
    () =>
      setCode(
        token,
        tokenCode({
          slot: layouts.solidity("0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00"),
        }),
      ),
  ],
  ["a mapping far away", () => setCode(token, tokenCode({ slot: layouts.solidity(4_321) }))],
  [
    "a balance with a flag in its highest bit, as USDC has it",
    () => setCode(token, tokenCode({ slot: layouts.solidity(9), read: `${2n ** 255n - 1n} AND` })),
  ],
  [
    "a proxy, by position and far away",
    async () => {
      await setCode(second, tokenCode({ slot: layouts.solidity(777) }));
      await node.ask("anvil_setStorageAt", token, implementationSlot, word(second));
      await setCode(token, proxyCode());
    },
  ],
];

describe("@give 1000 of a token", () => {
  for (const [title, setUp] of found)
    test(`is found for ${title}`, async () => {
      await setUp();
      const without = await given(transfer(token));
      assert.equal(without.simulation?.status, "reverted", without.reason);
      const { simulation, reason } = await given(`@give 1000 ${token}\n${transfer(token)}`);
      assert.equal(simulation?.status, "success", reason);
      const fact = simulation?.facts.find(([name]) => name === "Given")?.[1] ?? "";
      assert.match(fact, /^1000 USDC \(slot 0x[0-9a-f]{8}…, checked with balanceOf\) to 0x/);
      assert.ok(fact.endsWith(getAddress(holder as `0x${string}`)), fact);
      assert.equal(simulation?.tokens?.[0]?.value, "1000000000");
      // It is in the simulation alone, and not more than was given.
      const more = await given(`@give 999.999999 ${token}\n${transfer(token)}`);
      assert.equal(more.simulation?.status, "reverted");
      const balance = { to: token, data: `0x70a08231${holder.slice(2).padStart(64, "0")}` };
      assert.equal(BigInt(String(await node.ask("eth_call", balance, "latest"))), 0n);
    });

  test("is added to what the account has, and works by each method of a simulation", async () => {
    const position = 3;
    await setCode(token, tokenCode({ slot: layouts.solidity(position) }));
    const lines = `@give 400 ${token}\n${transfer(token)}`;
    assert.equal((await given(lines)).simulation?.status, "reverted");
    const list = (await node.ask(
      "eth_createAccessList",
      { to: token, data: `0x70a08231${holder.slice(2).padStart(64, "0")}` },
      "latest",
    )) as { accessList: [{ storageKeys: [string] }] };
    await node.ask("anvil_setStorageAt", token, list.accessList[0].storageKeys[0], word(600_000_000n));
    for (const [method, refused] of [
      ["eth_simulateV1", []],
      ["debug_traceCall", ["eth_simulateV1"]],
      ["eth_call", ["eth_simulateV1", "debug_traceCall"]],
    ] as const) {
      const { simulation, reason } = await given(lines, refused);
      assert.deepEqual([simulation?.method, simulation?.status], [method, "success"], reason);
    }
    await node.ask("anvil_setStorageAt", token, list.accessList[0].storageKeys[0], word(0n));
  });

  test("is set once on a forked node: the second transaction sees what the first one left", async () => {
    await setCode(token, tokenCode({ slot: layouts.solidity(2) }));
    node.refused = ["eth_simulateV1"];
    const binary = await findAnvil({ folders: [import.meta.dirname], searchPath: process.env.PATH });
    const forks = createForks(binary ?? "");
    const simulating = { unoffered: new Set<string>(), forks };
    try {
      const lines = `@give 1500 ${token}\n${transfer(token)}\n${transfer(token)}`;
      const output = await simulateLines(lines, senderTo(node.url), { simulating });
      const statuses = output.lines.map(({ simulation }) => [simulation?.method, simulation?.status]);
      assert.deepEqual(statuses, [
        ["a forked anvil", "success"],
        ["a forked anvil", "reverted"],
      ]);
    } finally {
      await forks.close();
    }
  });

  test("goes to another account, in another unit, and beside the network's coin", async () => {
    await setCode(token, tokenCode({ slot: layouts.vyper(1), symbol: "DAI", decimals: 18 }));
    const sent = `eth_sendTransaction { from: ${other}, to: ${token}, value: 3 ether, data: abi("transfer(address,uint256)", ${holder}, 1.5 ether) }`;
    const poor = await given(`@give 1.5 ${token} to ${other}\n${sent}`);
    assert.notEqual(poor.simulation?.status, "success");
    const { simulation, reason } = await given(
      `coin = ${token}\nme = ${other}\n@give 1.5 $coin to $me\n@give 3 ether to $me\n${sent}`,
    );
    assert.equal(simulation?.status, "success", reason);
    assert.equal(simulation?.facts.filter(([name]) => name === "Given").length, 2);
  });
});

const refused: readonly (readonly [
  title: string,
  setUp: () => Promise<unknown>,
  give: string,
  reason: RegExp,
])[] = [
  [
    "a rebasing token",
    async () => {
      await setCode(
        token,
        tokenCode({ slot: layouts.solidity(0), read: "3 MUL 2 SWAP1 DIV", symbol: "stETH" }),
      );
    },
    `1000 ${token}`,
    /Not simulated: 1000 0x70.* can't be given: in stETH \(0x70.* on local\), no storage slot holds the balance alone: the token may compute it, rebase, or pack it with other facts/,
  ],
  [
    "a balance that is packed above other facts",
    () => setCode(token, tokenCode({ slot: layouts.solidity(0), read: "96 SHR", symbol: "PACK" })),
    `1000 ${token}`,
    /in PACK .*no storage slot holds the balance alone/,
  ],
  [
    "one number for all holders",
    () => setCode(token, tokenCode({ slot: "POP 5", symbol: "ALL" })),
    `1000 ${token}`,
    /in ALL .*no storage slot holds the balance alone/,
  ],
  [
    "an account without code",
    () => setCode(token, "0x"),
    `1000 ${token}`,
    /0x70.* on local has no symbol and decimals, so it is no token there/,
  ],
  [
    "more decimals than the token has",
    () => setCode(token, tokenCode({ slot: layouts.solidity(0) })),
    `0.0000001 ${token}`,
    /USDC has 6 decimals/,
  ],
  [
    "a symbol that no token of the network has",
    async () => {},
    "5 NOPE",
    /5 NOPE can't be given: no widely used token of local has this symbol\. Write its address instead/,
  ],
];
for (const [title, setUp, give, reason] of refused)
  test(`refused by name: ${title}`, async () => {
    await setUp();
    const found = await given(`@give ${give}\n${transfer(token)}`);
    assert.equal(found.simulation, undefined);
    assert.match(found.reason, reason);
  });

test("a token whose balances are in another contract gets them there", async () => {
  await setCode(second, tokenCode({ slot: layouts.solidity(600) }));
  await setCode(token, frontCode(second, "FRONT"));
  const { simulation, reason } = await given(
    `@give 7 ${token}\neth_sendTransaction { from: ${holder}, to: ${token}, data: abi("balanceOf(address)", ${holder}) }`,
  );
  assert.equal(simulation?.status, "success", reason);
  assert.match(
    simulation?.facts.find(([name]) => name === "Given")?.[1] ?? "",
    new RegExp(`of ${second}`, "i"),
  );
});

test("give without the @ is told what to write", () => {
  for (const network of ["local", "base-mainnet"]) {
    const [first] = diagnose(projectOf([`@network ${network}\ngive 1000 USDC`]), 0);
    assert.equal(first?.message, "give is a directive. Write @give");
    assert.deepEqual(first?.fixes[0]?.edits[0]?.text, "@give");
  }
});

const faults: readonly (readonly [line: string, message: RegExp])[] = [
  ["@give", /Write the amount and the token: @give 1000 USDC/],
  ["@give USDC", /The amount is a number above 0/],
  ["@give 0 USDC", /The amount is a number above 0/],
  ["@give -5 USDC", /The amount is a number above 0/],
  ["@give 1000", /Write the amount and the token/],
  ["@give 1000 USDC $me", /After the token only the account can follow/],
  ["@give 1000 USDC to bob", /After the token only the account can follow/],
  ["x = eth_chainId\n@give 1000 $x", /which is known before the run/],
];
for (const [line, message] of faults)
  test(`marked: ${line.replace("\n", "; ")}`, () => {
    const messages = diagnose(projectOf([`${line}\neth_chainId`]), 0).map((one) => one.message);
    assert.ok(
      messages.some((one) => message.test(one)),
      messages.join("\n"),
    );
  });

test("its price is part of the estimate of a simulation, and a run that sends does not pay it", () => {
  const sent = `eth_sendTransaction { from: ${holder}, to: ${other} }`;
  const [plain, giving] = [sent, `@give 5 USDC\n${sent}`].map((cell) =>
    planCell(projectOf([`@network ethereum-sepolia\n${cell}`]), 0),
  );
  assert.ok(plain && giving);
  const [less, more] = [plain, giving].map((plan) => estimateSimulation(plan, false));
  assert.ok(less && more && more.credits - less.credits === 25 * 20, `${less?.credits} ${more?.credits}`);
});
