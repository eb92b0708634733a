// The ABI and source of a contract from a service, asked over HTTP.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, describe, it } from "node:test";
import { createHostTransport } from "../../../../src/api/transport/host.ts";
import {
  type ContractService,
  fetchContract,
  readContractService,
} from "../../../../src/rpc/contract/fetchContract.ts";
import { abiFileName, readContract } from "../../../../src/rpc/contract/readContract.ts";
import { contractAt } from "../../../../src/rpc/language/assist/outline.ts";
import { readAbiJson } from "../../../../src/rpc/language/encode/abiJson.ts";
import { projectOf } from "../notebook.ts";

const address = "0x833589fCD6eDb6E08f4c7C32D4f71b54bda02913";
const abi = [
  { type: "constructor", inputs: [] },
  {
    type: "function",
    name: "balanceOf",
    inputs: [{ type: "address", name: "who" }],
    outputs: [{ type: "uint256" }],
  },
];
const version2 = {
  match: "exact_match",
  chainId: "8453",
  address,
  abi,
  compilation: { name: "FiatToken", fullyQualifiedName: "contracts/v2/FiatToken.sol:FiatToken" },
  sources: {
    "lib/Math.sol": { content: "library Math {}" },
    "contracts/v2/FiatToken.sol": { content: "contract FiatToken {}" },
  },
  proxyResolution: {
    isProxy: true,
    proxyType: "EIP1967Proxy",
    implementations: [{ address: `0x${"c".repeat(40)}` }],
  },
};

describe("a service that knows contracts", () => {
  let server: Server;
  let origin: string;
  let answer: RequestListener;
  const asked: string[] = [];
  before(async () => {
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? "no key"}`);
      answer(request, response);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => void asked.splice(0));
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const serviceOf = (path: string) => {
    const service = readContractService(`${origin}${path}`);
    assert.ok(service && "host" in service);
    return service;
  };
  const place = { chainId: 8453, address };
  const transport = createHostTransport();
  const fetchFrom = (service: ContractService, limits?: { bytes: number; timeoutMs: number }) =>
    fetchContract(transport, service, place, new AbortController().signal, limits);
  const usual = () => serviceOf("/server/v2/contract/{chainId}/{address}?fields=abi,sources");
  const json =
    (value: unknown, status = 200): RequestListener =>
    (_, response) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    };

  it("gets the address and the chain, and no key", async () => {
    answer = json(version2);
    const contract = await fetchFrom(usual());
    assert.deepEqual(asked, [`GET /server/v2/contract/8453/${address}?fields=abi,sources no key`]);
    assert.equal(contract.name, "FiatToken");
    assert.deepEqual(contract.abi, abi);
    assert.deepEqual(
      contract.sources.map(({ path }) => path),
      ["contracts/v2/FiatToken.sol", "lib/Math.sol"],
    );
    assert.equal(contract.implementation, `0x${"c".repeat(40)}`);
  });

  it("can be a repository of metadata files", async () => {
    answer = json({
      output: { abi },
      settings: { compilationTarget: { "src/Token.sol": "Token" } },
      sources: { "src/Token.sol": { keccak256: "0x12", urls: ["ipfs://x"] } },
    });
    const { name, sources, implementation } = await fetchFrom(
      serviceOf("/contracts/full_match/{chainId}/{address}/metadata.json"),
    );
    assert.deepEqual(
      { name, sources, implementation },
      { name: "Token", sources: [], implementation: undefined },
    );
  });

  it("may redirect on its own host, and nowhere else", async () => {
    answer = (request, response) => {
      if (request.url === "/moved") return void json(version2)(request, response);
      response.writeHead(302, { location: "/moved" }).end();
    };
    assert.equal((await fetchFrom(usual())).name, "FiatToken");
    const others = [
      "http://localhost:1/x",
      "https://example.com/x",
      "//example.com",
      "file:///etc/passwd",
      "http://[",
    ];
    for (const location of others) {
      answer = (_, response) => void response.writeHead(301, { location }).end();
      await assert.rejects(fetchFrom(usual()), /: the service redirects to another place: /, location);
    }
    answer = (request, response) => void response.writeHead(302, { location: `${request.url}0` }).end();
    await assert.rejects(fetchFrom(usual()), /redirects more than 3 times/);
  });

  it("has a message for each failure", async () => {
    const { host } = usual();
    const failures: readonly (readonly [RequestListener, string])[] = [
      [json({ match: null }, 404), "the service has no verified contract at this address on this chain."],
      [json({}, 429), "the service has had too many requests. Try again later."],
      [
        json({ message: "Chain 8453 is\u202e not supported" }, 400),
        "the service answered with HTTP 400: Chain 8453 is⟨U+202E⟩ not supported.",
      ],
      [(_, response) => void response.writeHead(502).end("<html>"), "the service answered with HTTP 502."],
      [
        (_, response) => void response.end("<html>"),
        "the answer is not JSON. Check the address in the setting.",
      ],
      [json({ abi: [] }), "No ABI with functions or events was found."],
      [json({ abi: "0x" }), "No ABI with functions or events was found."],
      [json(null), "No ABI with functions or events was found."],
      [
        (_, response) => void response.end("[".repeat(10_000)),
        "the service sent more than 10 MB, or too deep JSON.",
      ],
      [
        ({ socket }) => void socket.destroy(),
        "the service can't be reached (UND_ERR_SOCKET). Check the network and the setting.",
      ],
    ];
    for (const [listener, sentence] of failures) {
      answer = listener;
      await assert.rejects(fetchFrom(usual()), { message: `${host}: ${sentence}` });
    }
  });

  it("is bounded in size and time", async () => {
    answer = (_, response) => void response.end(JSON.stringify({ ...version2, more: " ".repeat(5_000) }));
    await assert.rejects(fetchFrom(usual(), { bytes: 1_000, timeoutMs: 20_000 }), /sent more than 0.001 MB/);
    answer = (_, response) => void response.write("{");
    await assert.rejects(
      fetchFrom(usual(), { bytes: 1_000, timeoutMs: 50 }),
      /no answer within 0.05 seconds/,
    );
  });

  it("is cancelled with the user's signal", async () => {
    const stopping = new AbortController();
    answer = (_, response) => {
      response.write("{");
      stopping.abort();
    };
    await assert.rejects(fetchContract(transport, usual(), place, stopping.signal), { name: "AbortError" });
  });
});

it("an invalid address in the setting is reported with its rule", () => {
  const rules: Readonly<Record<string, RegExp>> = {
    "https://example.com/{chainId}": /must contain \{chainId\} and \{address\}/,
    "http://example.com/{chainId}/{address}": /must begin with https/,
    "file:///{chainId}/{address}": /must begin with https/,
    "https://me:secret@example.com/{chainId}/{address}": /must not contain a user/,
    "https://{address}.example.com/{chainId}": /behind the host/,
    "{chainId}/{address}": /is not a URL such as/,
  };
  for (const [template, rule] of Object.entries(rules)) {
    const read = readContractService(template);
    assert.match(read && "problem" in read ? read.problem : "accepted", rule, template);
  }
  assert.equal(readContractService("  "), undefined);
});

it("names from the service are safe file names, and damaged replies are read as far as possible", () => {
  const nameOf = (name: unknown) => abiFileName(readContract({ abi, compilation: { name } }), address);
  assert.equal(nameOf("../../Fiat Token"), "_Fiat_Token");
  assert.equal(nameOf("CON"), "0x833589fC");
  assert.equal(nameOf("…"), "0x833589fC");
  assert.equal(nameOf({}), "0x833589fC");
  assert.equal(nameOf("x".repeat(1_000)).length, 80);
  const odd = readContract({
    contractName: "Artifact",
    abi,
    sources: { a: null, b: { content: 1 }, c: { content: "text" } },
    compilation: [],
    proxyResolution: { isProxy: true, implementations: [{ address: "0x12" }, null] },
  });
  assert.equal(odd.name, "Artifact");
  assert.deepEqual(odd.sources, [{ path: "c", text: "text" }]);
  assert.equal(odd.implementation, undefined);
  assert.deepEqual(readContract(abi).abi, abi);
  assert.deepEqual(readAbiJson(JSON.stringify({ contractName: "Artifact", abi })), {
    declarations: ["function balanceOf(address who) returns (uint256)"],
  });
});

it("the address at the cursor, else the first one of the line", () => {
  const other = `0x${"b".repeat(40)}`;
  const lines = [
    `token = ${address}`,
    `call $token transfer(address) ${other}`,
    `# ${address}`,
    "eth_blockNumber",
    `eth_getBalance ${other} latest`,
    `logs _balances Moved(address) ${other}`,
    `call $unknown transfer(address) ${other}`,
  ];
  const text = lines.join("\n");
  const project = projectOf([text]);
  const at = (part: string) => contractAt(project, 0, text.indexOf(part));
  assert.equal(at("token ="), address);
  assert.equal(at("call"), address);
  assert.equal(at("oken transfer"), address);
  assert.equal(at("bbb"), address);
  assert.equal(at("latest"), other);
  assert.equal(at("_balances"), undefined);
  assert.equal(at("$unknown"), undefined);
  assert.equal(at("# "), undefined);
  assert.equal(at("eth_blockNumber"), undefined);
});
