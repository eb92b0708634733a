// Solana in the notebook's language: keys in Base58, amounts in SOL, and its methods.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { rpcTier } from "../../../../src/api/money/rpcCredits.ts";
import { staticContext } from "../../../../src/rpc/language/check/contexts.ts";
import { diagnose } from "../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { encodeRequest } from "../../../../src/rpc/language/encode/encodeRequest.ts";
import { requestsOf } from "../../../../src/rpc/language/project.ts";
import { catalog } from "../../../../src/shared/rpc/catalog/catalog.ts";
import { projectOf } from "../notebook.ts";

const base58 = [..."123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"];

function paramsOf(text: string): unknown {
  const project = projectOf([text], ["solana-mainnet"]);
  const cell = project.cells[0]?.cell;
  assert.ok(cell?.form === "lines");
  const statement = requestsOf(cell).at(-1)?.statement;
  assert.ok(statement);
  return encodeRequest(statement, staticContext(project, 0, cell.statements.length - 1, undefined)).params;
}

describe("Solana in the notebook", () => {
  test("a key is a word, also if it begins with digits", () => {
    const key = fc
      .array(fc.constantFrom(...base58), { minLength: 32, maxLength: 88 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(key, (text) => {
        fc.pre(/\d/.test(text) && !/^\d+$/.test(text));
        assert.deepEqual(paramsOf(`getBalance ${text}`), [text]);
        assert.deepEqual(paramsOf(`account = ${text}\ngetBalance $account`), [text]);
      }),
    );
  });

  test("amounts in sol are lamports, exact, as JSON numbers", () => {
    const lamports = (text: string) =>
      (paramsOf(`sendTransaction x { amount: ${text} }`) as Amounts)[1].amount;
    assert.equal(lamports("1.5 sol"), 1_500_000_000);
    assert.equal(lamports("0.000000001 sol"), 1);
    assert.equal(lamports("7 lamport"), 7);
    assert.equal(lamports("18446744073.709551615 sol"), 18_446_744_073_709_551_615n);
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (amount) => {
        const digits = String(amount).padStart(10, "0");
        const text = `${digits.slice(0, -9)}.${digits.slice(-9)} sol`;
        assert.equal(BigInt(lamports(text)), amount);
      }),
    );
  });

  test("less than a lamport is refused with the unit", () => {
    const [problem] = diagnose(projectOf(["getBlocks 0.0000000001 sol"], ["solana-mainnet"]), 0);
    assert.match(problem?.message ?? "", /is not a whole number of lamports/);
  });

  test("each method of the catalog has a price", () => {
    for (const { name, family } of catalog)
      if (family === "solana") assert.ok("multiplier" in rpcTier(name, "solana-mainnet"), name);
  });
});

type Amounts = readonly [string, { readonly amount: number | bigint }];
