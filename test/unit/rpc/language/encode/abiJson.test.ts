// ABIs that a notebook declares or takes from files, against the library that reads them.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Abi,
  encodeFunctionData,
  erc20Abi,
  erc721Abi,
  erc1155Abi,
  erc4626Abi,
  multicall3Abi,
  toEventSelector,
  toFunctionSelector,
} from "viem";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import { readEvent, readFunction } from "../../../../../src/rpc/evm/signatures/signatures.ts";
import { complete } from "../../../../../src/rpc/language/assist/complete.ts";
import { staticContext } from "../../../../../src/rpc/language/check/contexts.ts";
import { diagnose } from "../../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { readAbiJson } from "../../../../../src/rpc/language/encode/abiJson.ts";
import { encodeRequest } from "../../../../../src/rpc/language/encode/encodeRequest.ts";
import type { Project } from "../../../../../src/rpc/language/project.ts";
import { projectOf } from "../../notebook.ts";

const token = "0x00000000000000000000000000000000000000aa";
const path = "out/Token.sol/Token.json";

/** A notebook whose @abi line names a file with this ABI. */
function projectWith(abi: unknown, ...lines: string[]): Project {
  const project = projectOf([[`@abi "${path}"`, ...lines].join("\n")]);
  return { ...project, abiFiles: new Map([[path, readAbiJson(JSON.stringify(abi))]]) };
}

function request(project: Project) {
  const cell = project.cells[0]?.cell;
  assert.ok(cell?.form === "lines");
  const at = cell.statements.findIndex(({ statement }) => statement.kind === "request");
  const request = cell.statements[at]?.statement;
  assert.ok(request?.kind === "request");
  return encodeRequest(request, staticContext(project, 0, at, evm));
}

describe("an ABI of a file", () => {
  test("declares the same as viem reads from the file", () => {
    const all: readonly Abi[] = [erc20Abi, erc721Abi, erc1155Abi, erc4626Abi, multicall3Abi];
    for (const abi of all) {
      const file = readAbiJson(JSON.stringify({ abi, bytecode: "0x" }));
      assert.ok("declarations" in file);
      const selectors = file.declarations.flatMap((one) => {
        if (one.startsWith("function ")) return [toFunctionSelector(readFunction(one))];
        return one.startsWith("event ") ? [toEventSelector(readEvent(one))] : [];
      });
      const expected = abi.flatMap((item) => {
        if (item.type === "function") return [toFunctionSelector(item)];
        return item.type === "event" ? [toEventSelector(item)] : [];
      });
      assert.deepEqual(selectors, expected);
    }
  });

  test("gives names of functions, by the number of inputs where a name is overloaded", () => {
    const { params, decoding, problems } = request(projectWith(erc20Abi, `call ${token} balanceOf ${token}`));
    assert.deepEqual(problems, []);
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [token] });
    assert.deepEqual(params, [{ to: token, data }, "latest"]);
    assert.match(decoding?.signature ?? "", /returns \(uint256\)/);
    const two = [
      "function f(uint256 a) returns (uint256)",
      "function f((uint256 a, uint256 b) p, uint256 c)",
    ];
    const of = (...args: string[]) =>
      request(
        projectOf([`@abi ${two.map((one) => `"${one}"`).join(" ")}\ncall ${token} f ${args.join(" ")}`]),
      );
    assert.equal(of("1").decoding?.signature, two[0]);
    assert.equal(of("[1, 2]", "3").decoding?.signature, two[1]);
  });

  test("gives names of events, with their indexed inputs", () => {
    const { params } = request(projectWith(erc20Abi, `logs ${token} Transfer _ ${token} from:0x1`));
    const [filter] = params as [{ topics: (string | null)[] }];
    assert.equal(filter.topics[0], toEventSelector("Transfer(address,address,uint256)"));
  });

  test("is suggested first, and an unreadable one is marked", () => {
    const project = projectWith(erc20Abi, `call ${token} `);
    const text = project.cells[0]?.cell.text ?? "";
    const [first] = complete(project, 0, text.length).toSorted((a, b) => a.rank - b.rank);
    assert.equal(first?.kind, "function");
    assert.match(first?.detail ?? "", /^\w+\(.*\) returns/);
    for (const [content, says] of [
      ["{", /not JSON/],
      ["{}", /no ABI/],
      ["[]", /empty/],
    ] as const) {
      const broken = { ...project, abiFiles: new Map([[path, readAbiJson(content)]]) };
      const [problem] = diagnose(broken, 0).filter(({ code }) => code === "file");
      assert.match(problem?.message ?? "", says);
      assert.equal(text.slice(problem?.start, problem?.end), `"${path}"`);
    }
  });

  test("an undeclared name is refused with a message", () => {
    const { problems } = request(projectWith(erc20Abi, `call ${token} nothing`));
    assert.match(problems[0]?.message ?? "", /not a signature such as balanceOf\(address\)\(uint256\)/);
  });
});
