// A model's call of a chain runs without a question only if the method is described as reading, for every user of the tool.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import { createPermits, type PermitsDeps } from "../../../src/chat/host/tools/permits.ts";
import { createBilledTools } from "../../../src/chat/host/tools/service/billedTools.ts";
import type { ChatTool } from "../../../src/chat/host/tools/tool.ts";
import { Refusal } from "../../../src/platform/errors/refusal.ts";
import type { Client } from "../../../src/session/session.ts";
import { catalog } from "../../../src/shared/rpc/catalog/catalog.ts";
import { createChainTool } from "../../../src/tools/chainTool.ts";
import { checkToolInput } from "../../../src/tools/checkToolInput.ts";
import { openConsents } from "../session/openConsents.ts";
import { noChain } from "./noChain.ts";

/** Methods of many chains that change the chain, the node or its keys. */
const dangerous = `
  debug_setHead debug_setGCPercent debug_chaindbCompact debug_freeOSMemory debug_startCPUProfile debug_writeBlockProfile
  engine_newPayloadV1 engine_newPayloadV3 engine_forkchoiceUpdatedV3 txpool_clear txpool_besuClear
  miner_start miner_stop miner_setEtherbase admin_addPeer admin_importChain admin_startHTTP admin_stopRPC
  personal_sign personal_unlockAccount personal_sendTransaction personal_importRawKey wallet_sendCalls
  parity_setChain parity_setMode parity_postTransaction parity_removeTransaction parity_clearEngineSigner
  anvil_setBalance anvil_impersonateAccount anvil_dropAllTransactions hardhat_setCode hardhat_reset evm_mine evm_revert
  tenderly_setBalance clique_propose clique_discard ibft_proposeValidatorVote qbft_proposeValidatorVoteByBlockNumber
  perm_addNodesToAllowlist les_addBalance db_putString shh_post priv_distributeRawTransaction eea_sendRawTransaction
  eth_sendTransaction eth_sendRawTransaction eth_sendRawTransactionSync eth_sendPrivateTransaction eth_sendBundle
  eth_cancelPrivateTransaction eth_resend eth_sign eth_signTransaction eth_submitWork eth_submitHashrate mev_sendBundle
  eth_sendUserOperation pimlico_sendCompressedUserOperation bor_sendRawTransactionConditional
  zks_sendRawTransactionWithDetailedOutput klay_sendTransaction kaia_sendRawTransaction linea_sendRawTransaction
  starknet_addInvokeTransaction starknet_addDeclareTransaction starknet_addDeployAccountTransaction devnet_mint
  sendTransaction requestAirdrop sendRawTransaction sendrawtransaction submitblock stop importprivkey
  broadcast_tx_commit broadcast_tx_sync broadcast_tx_async broadcast_evidence dial_peers unsafe_flush_mempool
  send_tx EXPERIMENTAL_send_tx sui_executeTransactionBlock sui_devInspectTransactionBlock suix_requestFaucet
  author_submitExtrinsic author_insertKey author_rotateKeys system_addReservedPeer offchain_localStorageSet
  submit sign channel_authorize Filecoin.MpoolPush Filecoin.WalletExport tx_commit avm.issueTx platform.issueTx
  rpc.discover __proto__ constructor toString
`
  .trim()
  .split(/\s+/);

const reading = new Set(catalog.filter(({ writes }) => !writes).map(({ name }) => name));

const client = {
  connection: { id: "c", name: "One", kind: "live" },
  dialect: dialects.standard,
  api: { rpc: { call: async () => ({ result: "0x1" }) } },
} as unknown as Client;
const native = createChainTool(async () => ["To: 0x1"], noChain);
const signal = new AbortController().signal;
const inputOf = (method: string) => ({ network: "ethereum-mainnet", method, params: [] });

/** Whether the native tools and MCP ask for a method; `refused` if it isn't sent at all. */
async function consentOf(method: string): Promise<string> {
  try {
    return (await native.prepare(inputOf(method), client, signal)).asks;
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    return "refused";
  }
}

const files = {} as Parameters<typeof createBilledTools>[0];
const inChat = createBilledTools(files, async () => client, noChain, {
  readsHere: () => true,
  read: () => assert.fail(),
}).find(({ name }) => name === "call_chain");

/** The chat with every approval that a user can give. */
function chatPermits() {
  const settings = { mode: "agent", task: { id: "task" } };
  return createPermits({
    chat: { state: { settings, conversationId: "chat" }, path: () => [] },
    approvals: {
      mayRunUnasked: () => true,
      isAllowed: () => true,
      consents: openConsents(),
      runFileChanges: () => 0,
    },
    connectionId: () => "c",
  } as unknown as PermitsDeps);
}

/** Whether the chat runs a call unasked, or sends it after the user has allowed it. */
async function inChatOf(method: string) {
  const tool = inChat as ChatTool;
  const permission = await chatPermits().permissionFor({ tool, input: inputOf(method) });
  const isUnasked = permission === "given";
  const isSent = await Promise.resolve(tool.run?.(inputOf(method), signal, {} as never)).then(
    () => true,
    (error: unknown) => {
      assert.ok(error instanceof Refusal, String(error));
      return false;
    },
  );
  return { isUnasked, isSent };
}

test("only methods that are described as reading run unasked, in the editor's agents, MCP and the chat", async () => {
  assert.ok(reading.size > 130, `only ${reading.size}`);
  for (const { name, writes } of catalog) {
    assert.equal(await consentOf(name), writes ? "always" : "never", name);
    if (!writes) assert.deepEqual(await inChatOf(name), { isUnasked: true, isSent: true }, name);
    else assert.equal((await inChatOf(name)).isSent, false, name);
  }
});

test("a method that changes a chain, a node or its keys asks each time or is refused, in any spelling", async () => {
  for (const name of dangerous)
    for (const method of [
      name,
      name.toUpperCase(),
      name.toLowerCase(),
      ` ${name}`,
      `${name}\n`,
      `${name}\0`,
    ]) {
      assert.notEqual(await consentOf(method), "never", JSON.stringify(method));
      const { isUnasked, isSent } = await inChatOf(method);
      assert.ok(!isUnasked || !isSent, JSON.stringify(method));
    }
});

test("any other text is no reading method", async () => {
  const near = fc
    .tuple(fc.constantFrom(...reading), fc.nat(), fc.constantFrom("", " ", "_", "\u200b", "x", "V2", "\n"))
    .map(
      ([name, at, more]) => name.slice(0, at % (name.length + 1)) + more + name.slice(at % (name.length + 1)),
    );
  const method = fc.oneof(
    near,
    fc.string({ minLength: 1 }),
    fc.constantFrom(...reading).map((name) => name.toUpperCase()),
  );
  await fc.assert(
    fc.asyncProperty(method, async (text) => {
      if (!reading.has(text)) assert.notEqual(await consentOf(text), "never");
    }),
  );
});

test("the question about an unknown method says so and shows its parameters, and no answer counts for the next call", async () => {
  const params = [{ number: "0x1", note: "y".repeat(5_000) }];
  const question = await native.prepare({ ...inputOf("debug_chaindbCompact"), params }, client, signal);
  assert.equal(question.asks, "always");
  assert.equal(question.summary, "Call debug_chaindbCompact on ethereum-mainnet");
  const [effect = "", parameters = "", , receiver = ""] = question.details;
  assert.match(effect, /not known whether this method only reads/);
  assert.match(parameters, /^Parameters: \[\{"number":"0x1","note":"y+… \(\d+ more characters\)$/);
  assert.equal(receiver, "One receives the call.");
  const tool = inChat as ChatTool;
  const call = { tool, input: inputOf("debug_chaindbCompact") };
  const permits = chatPermits();
  for (const decision of ["task", "kind", "conversation", "always"] as const)
    await permits.give(call, decision);
  assert.equal(await permits.permissionFor(call), "none");
  assert.match(tool.summary(call.input), /not known whether this method only reads/);
});

test("a misspelled reading method is named, instead of asking the user about it", async () => {
  await assert.rejects(native.prepare(inputOf("ETH_BLOCKNUMBER"), client, signal), /Use eth_blockNumber\./);
  await assert.rejects(native.prepare(inputOf(" eth_call "), client, signal), /Use eth_call\./);
});

test("a batch is no call", () => {
  const [first] = [inputOf("eth_blockNumber")];
  for (const value of [
    [first, inputOf("debug_setHead")],
    { ...first, method: ["eth_blockNumber", "debug_setHead"] },
    { ...first, params: { method: "debug_setHead" } },
    { ...first, id: 1, batch: [inputOf("debug_setHead")] },
  ])
    assert.throws(() => checkToolInput(native, value), Refusal, JSON.stringify(value));
});

test("an unknown network lists the known ones, close ones first, and sends nothing; what the service alone knows is sent", async () => {
  const asked: string[] = [];
  const offered = [
    "ethereum-mainnet",
    "base-mainnet",
    "base-sepolia",
    "zora-mainnet",
    ...Array.from({ length: 100 }, (_, at) => `chain-${at}`),
  ];
  const api = {
    rpc: {
      networks: async () => ({ networks: offered }),
      call: async ({ network }: { readonly network: string }) => {
        asked.push(network);
        return { jsonrpc: "2.0", id: 1, result: "0x1" };
      },
    },
  };
  const service = { ...client, api } as unknown as Client;
  const run = (network: string, chain = noChain) =>
    createChainTool(async () => [], chain).run({ network, method: "eth_chainId" }, service, signal);
  const refusal = async (network: string, chain = noChain) => {
    const error = await run(network, chain).then(
      () => assert.fail(network),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof Refusal);
    return error.message;
  };
  assert.match(
    await refusal("base-mainet"),
    /^There is no network base-mainet, so nothing was sent or billed\. Did you mean base-mainnet\? Known networks: base-mainnet, /,
  );
  assert.match(
    await refusal("base"),
    /Did you mean base-mainnet\? Known networks: base-mainnet, base-sepolia, ethereum-mainnet/,
  );
  const long = await refusal("nowhere");
  assert.doesNotMatch(long, /Did you mean/);
  assert.match(long, /, and \d+ more\.$/);
  assert.ok(long.length < 3000);
  assert.deepEqual(asked, []);
  await run("zora-mainnet");
  assert.deepEqual(asked, ["zora-mainnet"]);
  api.rpc.networks = () => Promise.reject(new Error("it does not say"));
  await run("unlisted-mainnet");
  assert.deepEqual(asked, ["zora-mainnet", "unlisted-mainnet"], "the service decides");
  await run("ethereum-mainnet");
  assert.equal(asked.length, 3, "a network of the list needs no question");
});

test("local is the node on this machine if one is set up: no service and no price; else it is no network", async () => {
  const service = {
    ...client,
    api: { rpc: { networks: async () => ({ networks: ["base-mainnet"] }) } },
  } as unknown as Client;
  const sent: unknown[] = [];
  const chain = {
    ...noChain,
    hasLocalNode: async () => true,
    sendLocally: async (body: object) => {
      sent.push(body);
      return { jsonrpc: "2.0", id: 1, result: "0x7a69" };
    },
  };
  const local = createChainTool(async () => [], chain);
  const input = { network: "local", method: "eth_chainId" };
  const question = await local.prepare(input, service, signal);
  assert.deepEqual([question.asks, question.usd], ["never", 0]);
  assert.deepEqual(question.details, ["The node on this machine receives the call."]);
  const [answer] = await local.run(input, service, signal);
  assert.match(answer?.kind === "text" ? answer.text : "", /"result": "0x7a69"/);
  assert.deepEqual(sent, [{ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] }]);
  const wrong = createChainTool(async () => [], chain).run({ ...input, network: "locl" }, service, signal);
  await assert.rejects(wrong, /Did you mean local\?/);
  const none = createChainTool(async () => [], noChain).run(input, service, signal);
  await assert.rejects(
    none,
    /No node of this machine is set up, so nothing was sent or billed\. Known networks: base-mainnet\.$/,
  );
});

test("a result comes with its decoded values beside the raw ones, and without them if they can't be decoded", async () => {
  const api = { rpc: { call: async () => ({ jsonrpc: "2.0", id: 1, result: "0x10" }) } };
  const service = { ...client, api } as unknown as Client;
  const textOf = async (decode: typeof noChain.decode) => {
    const tool = createChainTool(async () => [], { ...noChain, decode });
    const [answer] = await tool.run(inputOf("eth_blockNumber"), service, signal);
    return answer?.kind === "text" ? JSON.parse(answer.text) : assert.fail();
  };
  const raw = { jsonrpc: "2.0", id: 1, result: "0x10" };
  assert.deepEqual(await textOf(async () => ({ result: "16" })), { ...raw, decoded: { result: "16" } });
  assert.deepEqual(await textOf(async () => ({})), raw);
  assert.deepEqual(await textOf(() => Promise.reject(new Error("viem"))), raw);
});
