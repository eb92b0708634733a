// A chain never changes silently: pasted, imported and converted requests keep their network.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { networkOfAddress } from "../../../../src/rpc/exchange/networkOfAddress.ts";
import { readRequest } from "../../../../src/rpc/exchange/request/readRequest.ts";
import { readPasted, readRequests } from "../../../../src/rpc/exchange/request/readRequests.ts";
import { asLiteralCell, wireOf } from "../../../../src/rpc/exchange/request/wireOf.ts";
import { toPasted, toPastedCells } from "../../../../src/rpc/exchange/toPasted.ts";
import { readDocument } from "../../../../src/rpc/file/readDocument.ts";
import { writeDocument } from "../../../../src/rpc/file/writeDocument.ts";
import { diagnose } from "../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { networksOfCell } from "../../../../src/rpc/language/project.ts";
import { openNetwork } from "../../../../src/shared/rpc/networks.ts";
import { projectOf } from "../notebook.ts";

const address = "0x00000000000000000000000000000000000000aa";
const hash = `0x${"ab".repeat(32)}`;
const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}';
const node = "http://127.0.0.1:8545";

const addresses: Readonly<Record<string, string | undefined>> = {
  "https://x.example/api/v1/crypto/rpc/base-mainnet": "base-mainnet",
  "https://x.example/api/v1/crypto/rpc/a-key-of-somebody": undefined,
  "https://eth-mainnet.g.alchemy.com/v2/base-sepolia-is-my-key": "ethereum-mainnet",
  "https://base-sepolia.g.alchemy.com/v2/key": "base-sepolia",
  "https://opt-mainnet.g.alchemy.com/v2/key": "optimism-mainnet",
  "https://mainnet.infura.io/v3/key": "ethereum-mainnet",
  "https://sepolia.infura.io/v3/key": "ethereum-sepolia",
  "https://arbitrum-mainnet.infura.io/v3/key": "arbitrum-mainnet",
  "https://name.base-mainnet.quiknode.pro/key/": "base-mainnet",
  "https://name.quiknode.pro/key/": undefined,
  "https://rpc.ankr.com/eth/key": "ethereum-mainnet",
  "https://rpc.ankr.com/base_sepolia/key": "base-sepolia",
  "https://polygon-amoy-bor-rpc.publicnode.com": "polygon-amoy",
  "https://arbitrum-one-rpc.publicnode.com": "arbitrum-mainnet",
  "https://base.llamarpc.com": "base-mainnet",
  "https://sepolia.drpc.org": "ethereum-sepolia",
  "https://mainnet.base.org": "base-mainnet",
  "https://mainnet.optimism.io": "optimism-mainnet",
  "https://arb1.arbitrum.io/rpc": "arbitrum-mainnet",
  "https://api.mainnet-beta.solana.com": "solana-mainnet",
  "https://mainnet.somebody.example": undefined,
  "https://base-goerli.g.alchemy.com/v2/key": undefined,
  "http://127.0.0.1:8545": "local",
  "localhost:8545": "local",
  "http://127.0.0.1:9999": undefined,
  $RPC_URL: undefined,
  sepolia: "ethereum-sepolia",
  "8453": "base-mainnet",
  base: "base-mainnet",
};

test("a network is recognised by the host of its address, never by a path that may be a key", () => {
  for (const [one, network] of Object.entries(addresses))
    assert.equal(networkOfAddress(one, node), network, one);
});

describe("a pasted command", () => {
  test("is for the network in the command, or for none until one is chosen", () => {
    const networkOf = (text: string) => readRequest(text)?.network;
    assert.equal(networkOf("cast chain-id --rpc-url https://mainnet.base.org"), "base-mainnet");
    assert.equal(networkOf("cast chain-id -r https://sepolia.base.org"), "base-sepolia");
    assert.equal(networkOf("cast chain-id --rpc-url=sepolia"), "ethereum-sepolia");
    assert.equal(networkOf("cast chain-id --chain polygon --rpc-url $URL"), "polygon-mainnet");
    assert.equal(networkOf("cast chain-id --chain polygon --rpc-url base"), openNetwork);
    assert.equal(networkOf("ETH_RPC_URL=https://mainnet.base.org cast chain-id"), "base-mainnet");
    assert.equal(networkOf("cast chain-id --rpc-url $RPC_URL"), openNetwork);
    assert.equal(networkOf("cast chain-id"), undefined);
    assert.equal(networkOf(`curl $RPC_URL -X POST -d '${body}'`), openNetwork);
    assert.equal(networkOf(`curl -X POST -d '${body}' localhost:8545`), "local");
    assert.equal(networkOf(`curl --url https://rpc.ankr.com/polygon/k -d '${body}'`), "polygon-mainnet");
    const http = `@url = https://base-sepolia.g.alchemy.com/v2/key\n\nPOST {{url}}\nX: y\n\n${body}\n`;
    assert.deepEqual(readRequests(http), [{ from: "http", text: body, network: "base-sepolia" }]);
    assert.deepEqual(readPasted(`POST https://node.example/key\n\n${body}`), [
      { from: "http", text: body, network: openNetwork, host: "node.example" },
    ]);
  });

  test("without a network is not sent, and all networks are suggested", () => {
    const cells = [
      { text: toPasted(readRequest("cast chain-id -r https://node.example/key") ?? assert.fail()) },
      { text: body, facts: { networks: [openNetwork] } },
    ];
    const project = projectOf(cells);
    for (const index of [0, 1]) {
      const [problem] = diagnose(project, index);
      assert.equal(problem?.code, "network");
      assert.ok(problem.refuses && problem.fixes.length === project.offered.length);
      const [edit] = problem.fixes.find(({ title }) => title === "Use base-sepolia")?.edits ?? [];
      const { text } = cells[index] ?? assert.fail();
      const mended = projectOf([text.slice(0, edit?.start) + edit?.text + text.slice(edit?.end)]);
      assert.deepEqual(networksOfCell(mended, mended.cells[0] ?? assert.fail()), ["base-sepolia"]);
      assert.deepEqual(diagnose(mended, 0), []);
    }
  });

  test("commands for several networks become one cell each; text between them stays", () => {
    const text = `cast chain-id -r base\ncast gas-price -r base | jq .\nme = ${address}\ncast chain-id -r sepolia; cast nonce ${address} -r sepolia`;
    assert.deepEqual(toPastedCells(readPasted(text) ?? assert.fail()), [
      { text: "eth_chainId\neth_gasPrice", network: "base-mainnet" },
      { text: `me = ${address}` },
      { text: `eth_chainId\neth_getTransactionCount ${address} latest`, network: "ethereum-sepolia" },
    ]);
  });
});

test("of cast becomes the same call; what is not converted is named", () => {
  const lines: Readonly<Record<string, string>> = {
    "cast block": "eth_getBlockByNumber latest false",
    "cast block 17 --full": "eth_getBlockByNumber 17 true",
    [`cast block ${hash}`]: `eth_getBlockByHash ${hash} false`,
    "cast block latest -f timestamp": "eth_getBlockByNumber latest false\n# Left out: --field",
    [`cast storage ${address} 3 --block 12`]: `eth_getStorageAt ${address} 3 12`,
    [`cast logs --from-block 1 --to-block 9 --address ${address} 'Transfer(address,address,uint256)' ${address}`]: `logs ${address} Transfer(address,address,uint256) ${address} from:1 to:9`,
    [`cast logs --from-block 1 ${hash}`]: `eth_getLogs { fromBlock: 1, topics: [${hash}] }`,
    [`cast balance --erc20 ${address} ${address}`]: `call ${address} balanceOf(address)(uint256) ${address} at:latest`,
    [`cast estimate ${address} 'mint(uint256)' 3 --from ${address}`]: `eth_estimateGas { to: ${address}, from: ${address}, data: abi("mint(uint256)", 3) } latest`,
    [`cast call ${address} --data 0x18160ddd`]: `eth_call { to: ${address}, data: 0x18160ddd } latest`,
    [`cast proof ${address} 0x0 0x1`]: `eth_getProof ${address} [0x0,0x1] latest`,
    "cast client": "web3_clientVersion",
    [`cast tx ${hash} blockNumber`]: `eth_getTransactionByHash ${hash}\n# Left out: further parameters`,
  };
  for (const [command, line] of Object.entries(lines)) {
    const { text = "", from } = readRequest(command) ?? {};
    assert.deepEqual([text, from], [line, "cast"], command);
    assert.deepEqual(
      diagnose(projectOf([text]), 0).filter(({ severity }) => severity === "error"),
      [],
      command,
    );
  }
  for (const command of ["cast storage 0xaa", "cast age", "cast find-block 1", "cast 4byte 0xaabbccdd"])
    assert.match(readRequest(command)?.text ?? "", /^# Not converted: cast /, command);
});

describe("JSON-RPC", () => {
  test("may follow @network, @view and @allow", () => {
    const text = `# note\n@network base-sepolia\n@allow eth_x\n// the call\n{"jsonrpc":"2.0","id":1,"method":"eth_x","params":[]}`;
    const project = projectOf([text]);
    const [cell] = project.cells;
    assert.ok(cell?.cell.form === "literal");
    assert.deepEqual(networksOfCell(project, cell), ["base-sepolia"]);
    assert.deepEqual(diagnose(project, 0), []);
    const { items } = wireOf(project, 0, undefined, () => undefined);
    assert.deepEqual(items, [{ method: "eth_x", params: [], written: [] }]);
    const [problem, ...others] = diagnose(projectOf([`@every 6s\n${body}`]), 0);
    assert.match(problem?.message ?? "", /Above JSON-RPC only .* are possible, not @every/);
    assert.deepEqual(others, []);
    const [place] = diagnose(
      projectOf(['@network local\n{"jsonrpc":"1.0","id":1,"method":"eth_chainId"}']),
      0,
    );
    assert.equal(place?.start, '@network local\n{"jsonrpc":'.length);
  });

  test("keeps network and view in the opening line when a cell is converted, and names what is lost", () => {
    const cell =
      "@network base-mainnet, polygon-amoy\n@view table\n@allow eth_x\neth_x\nhead = eth_blockNumber # now";
    const project = projectOf([cell, "eth_getBlockByNumber $head false"]);
    const made = asLiteralCell(project, 0, "[]");
    assert.deepEqual(made, {
      text: "@allow eth_x\n[]",
      facts: { networks: ["base-mainnet", "polygon-amoy"], view: "table" },
      lost: ["the name head, which another cell uses", "the comments"],
    });
    const written = writeDocument("", [{ kind: "request", text: made.text, facts: made.facts }]);
    assert.match(written, /^```rpc network=base-mainnet, polygon-amoy view=table\n/);
    assert.deepEqual(readDocument(written).cells[0]?.facts, made.facts);
    assert.deepEqual(asLiteralCell(projectOf(["@every 6s\neth_chainId"]), 0, "{}").lost, ["@every"]);
  });
});
