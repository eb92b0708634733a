import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { rpcTier } from "../../../../../src/api/money/rpcCredits.ts";
import { findAnvil } from "../../../../../src/platform/process/anvil.ts";
import { createChains } from "../../../../../src/sandbox/rpc/chains.ts";
import { networksOf } from "../../../../../src/sandbox/rpc/networks.ts";
import { catalog, familyOf, methodOf, paramTypes } from "../../../../../src/shared/rpc/catalog/catalog.ts";
import { methodTiers } from "../../../../../src/shared/rpc/methodTiers.ts";
import { root } from "../../../../tools/paths.ts";

const require = createRequire(import.meta.url);

interface Published {
  readonly name: string;
  readonly params: readonly { readonly required?: boolean }[];
}

test("each method is read completely, and once", () => {
  for (const { name, params, summary, result } of catalog) {
    assert.ok(name && summary && result, JSON.stringify({ name, summary, result }));
    for (const { name: param, type } of params)
      assert.ok(paramTypes.includes(type), `${name} ${param}: ${type}`);
    const firstOptional = params.findIndex(({ optional }) => optional);
    assert.ok(firstOptional < 0 || params.slice(firstOptional).every(({ optional }) => optional), name);
  }
  assert.equal(new Set(catalog.map(({ name }) => name)).size, catalog.length);
});

test("the catalog has each listed method, and nothing else", () => {
  for (const { name, family } of catalog) {
    assert.ok("multiplier" in rpcTier(name, `${family === "evm" ? "ethereum" : family}-mainnet`), name);
  }
  const listed = [...methodTiers.standard, ...methodTiers.advanced, ...methodTiers.large];
  assert.deepEqual(
    listed.filter((name) => !methodOf(name)),
    [],
  );
});

test("parameters match the published OpenRPC document", () => {
  const { MetaMaskOpenRPCDocument } = require("@metamask/api-specs") as {
    MetaMaskOpenRPCDocument: { methods: readonly Published[] };
  };
  const known = MetaMaskOpenRPCDocument.methods.flatMap((method) => {
    const own = methodOf(method.name);
    return own ? [{ own, method }] : [];
  });
  assert.ok(known.length > 20, `only ${known.length} methods are known to both`);
  for (const { own, method } of known) {
    // The document omits state overrides, which nodes accept as a last parameter.
    assert.ok(own.params.length >= method.params.length, own.name);
    assert.ok(
      own.params.slice(method.params.length).every(({ optional }) => optional),
      own.name,
    );
  }
});

test("Starknet's methods match the published types, except those for WebSockets", () => {
  const path = `${root}/node_modules/@starknet-io/types-js/dist/types/api/methods.d.ts`;
  const published = new Set(readFileSync(path, "utf8").match(/starknet_\w+(?=: \{)/g));
  const own = catalog.filter(({ family }) => family === "starknet").map(({ name }) => name);
  assert.ok(published.size > 25, `only ${published.size} were read`);
  assert.deepEqual(
    own.filter((name) => !published.has(name)),
    [],
  );
  const left = [...published].filter((name) => !own.includes(name));
  assert.deepEqual(
    left.filter((name) => !/subscribe|subscription|proveTransaction|starknet_version/i.test(name)),
    [],
  );
});

describe("a real node", () => {
  let binary: string | undefined;
  let chains: ReturnType<typeof createChains>;
  before(async () => {
    binary = await findAnvil({ folders: [root], searchPath: process.env.PATH });
    assert.ok(binary, "anvil is a package of this project");
    chains = createChains({ now: Date.now, nodeBinary: binary });
  });
  after(() => chains.close());

  test("requires as many parameters as the catalog says", async () => {
    const network = networksOf("standard").find(({ slug }) => slug === "ethereum-mainnet");
    assert.ok(network);
    const chain = await chains.of(network);
    const evm = catalog.filter(({ family, params }) => family === "evm" && params.length > 0);
    const outcomes = await chain.answer(
      evm.map(({ name }) => ({ method: name, params: [] })),
      AbortSignal.timeout(120_000),
    );
    let checked = 0;
    evm.forEach(({ name, params }, at) => {
      const outcome = outcomes[at];
      const message = outcome && "error" in outcome ? outcome.error.message : "";
      const due = /with (\d+) elements?/.exec(message)?.[1];
      if (due === undefined) return;
      checked++;
      const least = params.filter(({ optional }) => !optional).length;
      assert.ok(Number(due) >= least && Number(due) <= params.length, `${name}: ${message}`);
    });
    assert.ok(checked > 15, `anvil told the arity of ${checked} methods`);
  });
});

test("the family follows from the first word", () => {
  assert.equal(familyOf("zks_estimateFee"), "zksync");
  assert.equal(familyOf("getSlot"), "solana");
  assert.equal(familyOf("eth_call"), "evm");
});
