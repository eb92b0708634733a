import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type EncodeFunctionDataParameters, encodeFunctionData, parseAbi } from "viem";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import { readRequest } from "../../../../../src/rpc/exchange/request/readRequest.ts";
import { readPasted, readRequests } from "../../../../../src/rpc/exchange/request/readRequests.ts";
import { wireOf } from "../../../../../src/rpc/exchange/request/wireOf.ts";
import { exportForms, writeRequest } from "../../../../../src/rpc/exchange/request/writeRequest.ts";
import { shellWords } from "../../../../../src/rpc/exchange/shellWords.ts";
import { toLines } from "../../../../../src/rpc/exchange/toLines.ts";
import { toPasted } from "../../../../../src/rpc/exchange/toPasted.ts";
import { parseCell } from "../../../../../src/rpc/language/parse/parseCell.ts";
import { openNetwork } from "../../../../../src/shared/rpc/networks.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { projectOf } from "../../notebook.ts";

const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}';

describe("pasted text", () => {
  test("curl becomes its body, on the network of its address, without its key", () => {
    const command = `curl https://x.example/api/v1/crypto/rpc/base-mainnet \\\n  -H "Authorization: Bearer secret-1234" \\\n  -d '${body}'`;
    assert.deepEqual(readRequest(command), { from: "curl", text: body, network: "base-mainnet" });
    assert.deepEqual(
      readRequest(`curl -X POST --data-raw "${body.replaceAll('"', '\\"')}" https://node.example`),
      {
        from: "curl",
        text: body,
        network: openNetwork,
        host: "node.example",
      },
    );
  });

  test("cast becomes lines", () => {
    assert.equal(
      readRequest("cast rpc eth_getBalance 0xaa latest --rpc-url https://x.example")?.text,
      "eth_getBalance 0xaa latest",
    );
    assert.equal(readRequest("$ cast block-number")?.text, "eth_blockNumber");
    assert.equal(
      readRequest('cast call 0xaa "balanceOf(address)(uint256)" 0xbb -r x')?.text,
      "call 0xaa balanceOf(address)(uint256) 0xbb",
    );
  });

  test("options of cast that change the call are kept", () => {
    assert.equal(
      readRequest(
        'cast call 0xaa "f()(uint256)" --from 0xbb --block 12 --rpc-headers "Authorization: Bearer x"',
      )?.text,
      "call 0xaa f()(uint256) at:12 from:0xbb",
    );
    assert.equal(readRequest("cast balance 0xaa -r http://x.example")?.text, "eth_getBalance 0xaa latest");
    assert.equal(readRequest("cast nonce 0xaa --block 7")?.text, "eth_getTransactionCount 0xaa 7");
  });

  test("a pasted command becomes lines with its network; what lines can't express stays JSON below", () => {
    const pasted = (data: string) =>
      toPasted(readRequest(`curl https://x.example/crypto/rpc/base-mainnet -d '${data}'`) ?? assert.fail());
    assert.equal(pasted(body), "@network base-mainnet\neth_chainId");
    assert.equal(pasted(`[${body},${body}]`), "@network base-mainnet\neth_chainId\neth_chainId");
    const named = '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":{"to":"0xaa"}}';
    assert.equal(pasted(named), `@network base-mainnet\n${named}`);
    const cast = readRequest("cast block-number") ?? assert.fail();
    assert.equal(toPasted(cast), "eth_blockNumber");
  });

  test("a .http file gives its requests with their networks, without their headers", () => {
    const text = `@host = https://x.example\r\n### One\r\nPOST {{host}}/crypto/rpc/base-mainnet HTTP/1.1\r\nAuthorization: Bearer secret\r\n\r\n${body}\r\n\r\n### Two\r\n# a note\r\ncast block-number\r\n### Three\r\nGET https://x.example/other\r\n`;
    assert.deepEqual(readRequests(text), [
      { from: "http", text: body, network: "base-mainnet" },
      { from: "cast", text: "eth_blockNumber" },
      {
        from: "withheld",
        text: "# Not converted: an HTTP request without JSON-RPC in it.\n# Left out: its address, headers and body.",
      },
    ]);
    assert.deepEqual(readRequests(body), [{ from: "json-rpc", text: body }]);
  });

  test("JSON-RPC stays, and other text is unchanged", () => {
    assert.equal(readRequest(body)?.from, "json-rpc");
    for (const text of [
      "hello",
      "{}",
      '{"a":1}',
      "eth_blockNumber",
      "me=0x00000000000000000000000000000000000000aa",
      "token=0x00000000000000000000000000000000000000aa\neth_getBalance $token latest",
    ]) {
      assert.equal(readRequest(text), undefined, text);
      assert.equal(readPasted(text), undefined, text);
    }
  });

  test("any text is read without a throw", () => {
    const piece = fc.oneof(
      fc.constantFrom("curl ", "-d ", "'", '"', "\\", "\n", "cast rpc ", "{", body, "$("),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece), (all) => void readRequest(all.join(""))),
      { numRuns: randomCases(5_000) },
    );
  });
});

describe("copied text", () => {
  const project = projectOf([
    "me = 0x00000000000000000000000000000000000000aa\neth_getBalance $me latest\nweb3_sha3 0x27",
  ]);
  const request = {
    ...wireOf(project, 0, undefined, () => undefined),
    network: "base-mainnet",
    root: "https://x.example/api/v1",
  };

  test("has the key as a variable in every form but plain JSON-RPC", () => {
    for (const form of exportForms) {
      const text = writeRequest(form, request);
      assert.ok(text.includes("eth_getBalance"), form);
      if (form !== "JSON-RPC")
        assert.ok(text.includes("INFERENCE_API_KEY") && text.includes("base-mainnet"), form);
    }
  });

  test("curl is read back unchanged", () => {
    const read = readRequest(writeRequest("curl", request));
    assert.equal(read?.text, request.text);
    assert.equal(read?.network, "base-mainnet");
  });

  test("a shell splits it into the intended words", () => {
    const words = fc.array(
      fc.string({ minLength: 1 }).filter((word) => !word.includes("\0")),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(words, (all) => {
        const quoted = all.map((word) => `'${word.replace(/'/g, `'\\''`)}'`).join(" ");
        const printed = execFileSync("/bin/sh", ["-c", `printf '%s\\0' ${quoted}`], { encoding: "utf8" });
        assert.deepEqual(printed.split("\0").slice(0, -1), all);
        assert.deepEqual(shellWords(quoted), all);
      }),
      { numRuns: randomCases(100) },
    );
  });
});

test("JSON converted to lines and back is the same request", () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(
        "latest",
        "0xaa",
        "true",
        "a b",
        "1",
        "-5",
        "x:y",
        "s",
        "ether",
        '"',
        "$x",
        "_",
        "call",
        "0x",
        "name.eth",
      ),
      fc.string(),
      fc.integer({ min: 0, max: 1e9 }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("any"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("to", "data", "a b", "0x1", ""), tie("any"), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    ),
  })).any;
  fc.assert(
    fc.property(fc.array(value, { maxLength: 4 }), (params) => {
      // Of a method without description: nothing is encoded.
      const text = toLines([{ method: "eth_unknown", params }]);
      const cell = parseCell(text);
      assert.ok(cell.form === "lines");
      const { items } = wireOf(projectOf([text]), 0, undefined, () => undefined);
      assert.deepEqual(items, [{ method: "eth_unknown", params }]);
    }),
    { numRuns: randomCases(5_000) },
  );
});

test("a shell command is safe, whatever a notebook's file contains", () => {
  const words = fc.oneof(
    fc.constantFrom(
      "eth_x; touch /tmp/x",
      "$(id)",
      "`id`",
      "a'b",
      "--rpc-url=https://evil.example",
      "-r",
      "a\nb",
    ),
    fc.string({ minLength: 1 }).filter((word) => !word.includes("\0")),
  );
  const at = { network: "base-mainnet", root: "https://x.example/api/v1" };
  const show = `show() { printf '%s\\0' "$@"; }; curl() { show curl "$@"; }; cast() { show cast "$@"; }`;
  const read = (command: string) =>
    execFileSync("/bin/sh", ["-c", `${show}; INFERENCE_API_KEY=key; ${command}`], { encoding: "utf8" })
      .split("\0")
      .slice(0, -1);
  fc.assert(
    fc.property(words, fc.array(words, { maxLength: 3 }), (method, params) => {
      const body = { jsonrpc: "2.0", id: 1, method, params };
      const request = { ...at, text: JSON.stringify(body), items: [{ method, params }] };
      const url = `${at.root}/crypto/rpc/${at.network}`;
      assert.deepEqual(read(writeRequest("cast", request)), [
        ...["cast", "rpc", method],
        ...params.map((param) => (param.startsWith("-") ? JSON.stringify(param) : param)),
        ...["--rpc-url", url, "--rpc-headers", "Authorization: Bearer key"],
      ]);
      const [, , ...curl] = read(writeRequest("curl", request));
      assert.deepEqual(JSON.parse(curl.at(-1) ?? ""), body);
    }),
    { numRuns: randomCases(100) },
  );
});

describe("contract calls that are copied", () => {
  const me = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  const token = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
  const wireOfLine = (line: string) => ({
    ...wireOf(projectOf([line]), 0, evm, () => undefined),
    network: "base-mainnet",
    root: "https://x.example/api/v1",
  });

  test("cast has the signature, and no value becomes an option", () => {
    const plain = writeRequest("cast", wireOfLine(`call ${token} balanceOf(address)(uint256) ${me}`));
    assert.ok(plain.endsWith(`  ${token} 'balanceOf(address)(uint256)' ${me}`), plain);
    const odd = writeRequest("cast", wireOfLine(`call ${token} f(string,int8) "--rpc-url" -3 at:17`));
    assert.ok(odd.startsWith("cast call --block 0x11 "), odd);
    assert.ok(odd.endsWith(`  -- ${token} 'f(string,int8)' --rpc-url -3`), odd);
  });

  test("viem encodes the same calldata", async () => {
    const lines = [
      `call ${token} balanceOf(address)(uint256) ${me}`,
      `call ${token} f((uint256,bool)[],string,int8)(uint256,string) [[5,true],[6,false]] "a \\"b" -3`,
      `call ${token} g(uint256[2][],bytes) [[1,2],[3,115792089237316195423570985008687907853269984665640564039457584007913129639935]] 0x1234`,
      `call ${token} h()`,
    ];
    for (const line of lines) {
      const request = wireOfLine(line);
      const script = writeRequest("viem", request).replace(/^import .*$/m, "");
      const seen: string[] = [];
      const client = {
        readContract: async (call: EncodeFunctionDataParameters) => void seen.push(encodeFunctionData(call)),
      };
      const run = new Function(
        ...["createPublicClient", "http", "parseAbi", "process", "console"],
        `return (async () => {${script}})();`,
      );
      await run(
        () => client,
        () => {},
        parseAbi,
        { env: {} },
        { log: () => {} },
      );
      const [item] = request.items;
      const [{ data }] = (item ?? assert.fail()).params as [{ readonly data: string }];
      assert.deepEqual(seen, [data], line);
    }
  });

  test("a Foundry test decodes the outputs that Solidity decodes without a struct", () => {
    const text = writeRequest(
      "Foundry test",
      wireOfLine(`call ${token} f(address)(uint256 amount,string) ${me}`),
    );
    assert.match(text, /\(uint256 r0, string memory r1\) = abi\.decode\(result, \(uint256, string\)\);/);
    const tuple = writeRequest("Foundry test", wireOfLine(`call ${token} f()((uint256,bool))`));
    assert.doesNotMatch(tuple, /abi\.decode/);
  });
});
