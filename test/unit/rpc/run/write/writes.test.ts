// Every request that changes a chain is confirmed, in every family of networks and every form, and sent once.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { diagnose } from "../../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { parameterFacts } from "../../../../../src/rpc/run/write/writeFacts.ts";
import { checkWrite } from "../../../../../src/rpc/run/write/writes.ts";
import { catalog, writesToChain } from "../../../../../src/shared/rpc/catalog/catalog.ts";
import { methodTiers } from "../../../../../src/shared/rpc/methodTiers.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { root } from "../../../../tools/paths.ts";
import { type Bench, openBench, projectOf } from "../../notebook.ts";

const require = createRequire(import.meta.url);

/** All methods that submit something, of every list below. */
const writing = new Set([
  "eth_sendRawTransaction",
  "eth_sendTransaction",
  "eth_sendUserOperation",
  "eth_submitWork",
  "zks_sendRawTransactionWithDetailedOutput",
  "starknet_addInvokeTransaction",
  "starknet_addDeclareTransaction",
  "starknet_addDeployAccountTransaction",
  "sendTransaction",
  "wallet_sendCalls",
]);

test("the methods that change a chain are marked, in the catalog and in the published lists", () => {
  const { MetaMaskOpenRPCDocument } = require("@metamask/api-specs") as {
    MetaMaskOpenRPCDocument: { methods: readonly { readonly name: string }[] };
  };
  const path = `${root}/node_modules/@starknet-io/types-js/dist/types/api/methods.d.ts`;
  const starknet = readFileSync(path, "utf8").match(/starknet_\w+(?=: \{)/g) ?? [];
  const all = new Set([
    ...catalog.map(({ name }) => name),
    ...MetaMaskOpenRPCDocument.methods.map(({ name }) => name),
    ...starknet,
    ...Object.values(methodTiers).flatMap((names) => [...names]),
  ]);
  assert.ok(all.size > 170, `only ${all.size} are known`);
  assert.deepEqual(
    [...all].filter(writesToChain).sort(),
    [...all].filter((name) => writing.has(name)).sort(),
  );
  assert.deepEqual([...all].filter((name) => writing.has(name)).length, writing.size);
});

test("methods without a description ask by their name", () => {
  const word = fc.constantFrom("Raw", "Private", "Bundle", "Signed", "V2", "Conditional", "");
  const namespace = fc.constantFrom("eth_", "bor_", "linea_", "zks_", "starknet_", "");
  const verb = fc.constantFrom("send", "submit", "add", "resend", "broadcast", "cancel");
  fc.assert(
    fc.property(namespace, verb, word, word, (space, first, a, b) => {
      assert.ok(writesToChain(`${space}${first}${a}Transaction${b}`));
    }),
  );
  for (const name of ["eth_sendBundle", "eth_sendPrivateRawTransaction", "submitTransaction", "eth_resend"])
    assert.ok(writesToChain(name), name);
  for (const name of ["eth_getTransactionBySenderAndNonce", "eth_getSender", "getAddressInfo", "constructor"])
    assert.ok(!writesToChain(name), name);
});

/** The example of sendTransaction in Solana's documentation, with its reply. */
const solana =
  "4hXTCkRzt9WyecNzV1XPgCDfGAZzQKNxLXgynz5QDuWWPSAZBZSHptvWRL3BjCvzUXRdKvHL2b7yGrRQcWyaqsaBCncVG7BFggS8w9snUts67BSh3EqKpXLUm5UMHfD7ZBe9GhARjbNQMLJ1QD3Spr6oMTBU6EhdB4RD8CP2xUxr2u3d6fos36PD98XS6oX8TQjLpsMwncs5DAMiD4nNnR8NBfyghGCWvCVifVwvA8B8TJxE1aiyiv2L429BCWfyzAme5sZW8rDb14NeCQHhZbtNqfXhcp2tAnaAT";
const signature = "2id3YC2jK9G5Wo2phDx4gJVAew8DcY5NAojnVuao8rkxwPYPe8cSwE5GzhEgJA2y8fVjDEo6iR6ykBvDxrTQrtpb";

describe("the question shows what can be decoded", () => {
  const factsOf = (method: string, ...params: unknown[]) => new Map(parameterFacts(method, params));

  test("a transaction of Solana", () => {
    const facts = factsOf("sendTransaction", solana);
    assert.equal(facts.get("First signature"), signature);
    assert.equal(facts.get("Fee payer"), "5ebCWDVzvDGyEbgfiv1ATMucpFJrM8nhrHvAwE4tUE2c");
    assert.match(facts.get("Instruction 1") ?? "", /^Transfers 5 SOL from 5ebC\w+ to vines1\w+$/);
  });

  test("a user operation, and a transaction of Starknet", () => {
    const operation = {
      sender: "0xaa",
      nonce: "0x1",
      callData: `0x12345678${"00".repeat(32)}`,
      paymaster: "0xbb",
    };
    const facts = factsOf("eth_sendUserOperation", operation, "0xcc");
    assert.deepEqual(
      ["Account", "Calls", "Paid by", "Entry point"].map((name) => facts.get(name)),
      ["0xaa", "36 bytes, selector 0x12345678", "0xbb", "0xcc"],
    );
    const invoke = {
      type: "INVOKE",
      version: "0x3",
      sender_address: "0xdd",
      nonce: "0x2",
      calldata: ["0x1", "0x2"],
    };
    const starknet = factsOf("starknet_addInvokeTransaction", invoke);
    assert.equal(starknet.get("Account"), "0xdd");
    assert.equal(starknet.get("Calldata"), "2 felts");
  });

  test("any payload is described, without a throw", () => {
    const value = fc.anything({ withBigInt: true, withNullPrototype: true });
    const method = fc.constantFrom(...writing, "eth_sendBundle", "constructor");
    fc.assert(
      fc.property(
        method,
        fc.array(fc.oneof(value, fc.constant(solana.slice(0, 90)), fc.string())),
        (name, params) => {
          for (const [label, text] of parameterFacts(name, params)) {
            assert.ok(label !== "" && text.length < 700);
            assert.match(text, /^[\x20-\x7e…]*$/);
          }
        },
      ),
      { numRuns: randomCases(3_000) },
    );
  });

  test("only a node on this machine needs no question", () => {
    const verdictOn = (network: string) =>
      checkWrite(undefined, { method: "sendTransaction", params: [solana] }, network);
    const asks = (network: string) => {
      const verdict = verdictOn(network);
      return "write" in verdict && verdict.write.needsConsent;
    };
    assert.deepEqual(["solana-mainnet", "solana-devnet", "something-testnet", "local"].map(asks), [
      true,
      true,
      true,
      false,
    ]);
  });
});

describe("a run", () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench({}, "venice");
  });
  after(() => bench.close());

  const match = { method: "POST" };
  const asked = () => bench.questions.map(({ network, method }) => `${network} ${method}`);
  const sent = (word: string) =>
    bench.sandbox.requests.filter(({ bodyText }) => bodyText.includes(word)).length;
  const invoke = 'starknet_addInvokeTransaction { type: "INVOKE", nonce: "0x1" }';
  /** Each a cell and its networks. */
  const cells: readonly (readonly [text: string, on: readonly string[], method: string])[] = [
    [`sendTransaction "${solana}"`, ["solana-mainnet"], "sendTransaction"],
    [`getSlot\nsendTransaction "${solana}"\ngetSlot`, ["solana-devnet"], "sendTransaction"],
    [invoke, ["starknet-mainnet", "starknet-sepolia"], "starknet_addInvokeTransaction"],
    ["eth_sendUserOperation { sender: 0xaa } 0xbb", ["base-mainnet"], "eth_sendUserOperation"],
    [
      "zks_sendRawTransactionWithDetailedOutput 0x71c0",
      ["zksync-mainnet"],
      "zks_sendRawTransactionWithDetailedOutput",
    ],
    ["zks_submitSomething 0xaa", ["zksync-mainnet"], "zks_submitSomething"],
    [
      JSON.stringify([
        { jsonrpc: "2.0", id: 1, method: "getSlot", params: [] },
        { jsonrpc: "2.0", id: 2, method: "sendTransaction", params: [solana] },
      ]),
      ["solana-mainnet"],
      "sendTransaction",
    ],
  ];

  for (const [text, on, method] of cells) {
    test(`asks, and sends nothing when declined: ${text.slice(0, 50)} on ${on.join(", ")}`, async () => {
      bench.questions.length = 0;
      const before = sent(method);
      bench.answerQuestions(false);
      const run = await bench.run(projectOf([text], on));
      bench.answerQuestions(true);
      assert.deepEqual(
        asked(),
        on.map((network) => `${network} ${method}`),
      );
      assert.equal(sent(method), before);
      for (const { lines } of run.rounds)
        assert.ok(
          lines.some(({ outcome }) => outcome.kind === "unsent" && /you declined/.test(outcome.reason)),
        );
    });

    test(`sends it once when accepted, whatever happens to the reply: ${text.slice(0, 50)}`, async () => {
      for (const fault of [undefined, 500, 503, 429]) {
        const before = sent(method);
        bench.sandbox.setFaults(fault ? [{ kind: "status", status: fault, late: true, match }] : []);
        await bench.run(projectOf([text], on.slice(0, 1)));
        bench.sandbox.setFaults([]);
        // It is not sent if a line before it failed.
        const times = fault && text.startsWith("getSlot") ? 0 : 1;
        assert.equal(sent(method), before + times, String(fault));
      }
    });
  }

  test("says if the same was sent before", async () => {
    bench.questions.length = 0;
    await bench.run(projectOf(['sendTransaction "1"'], ["solana-mainnet"]));
    await bench.run(projectOf(['sendTransaction "1"'], ["solana-mainnet"]));
    const [first, second] = bench.questions.map(({ facts }) => facts.some(([name]) => name === "Before"));
    assert.deepEqual([first, second], [false, true]);
  });

  test("polling does not repeat it", () => {
    const problems = diagnose(projectOf([`@every 5s\n@times 3\nsendTransaction "1"`], ["solana-mainnet"]), 0);
    assert.ok(problems.some(({ refuses, message }) => refuses && /repeated with @every/.test(message)));
    assert.ok(
      diagnose(projectOf(["@every 5s\n@times 3\nsend 0xaa"]), 0).some(({ code }) => code === "polling"),
    );
  });
});
