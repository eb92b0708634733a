// Environment files: parsed like dotenv, and secrets in them.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import dotenv from "dotenv";
import fc from "fast-check";
import {
  isSecretName,
  isSecretValue,
  secretKind,
} from "../../../../../src/rpc/language/encode/secretValue.ts";
import {
  environmentsAmong,
  isEnvironmentName,
  newEnvText,
  parseEnv,
  readEnvFile,
} from "../../../../../src/rpc/language/environment/envFile.ts";
import { randomCases } from "../../../../runner/cases.ts";

const valuesIn = (text: string) => [...parseEnv(text)].map(([name, { value }]) => [name, value]);

test("a new file has a line for each name that has no value yet, or an example", () => {
  assert.equal(newEnvText(["WHO", "b.c", "WHO", "not a name", ""]), "WHO=\nb.c=\n");
  assert.deepEqual(valuesIn(newEnvText([])), [["TOKEN", ""]]);
});

describe("parsing", () => {
  const piece = fc.oneof(
    fc.constantFrom("A", "b.c", "D-1", "export", "export ", "EXPORT_X", "constructor", "x"),
    fc.constantFrom(
      "=",
      " = ",
      ":",
      ": ",
      ":\n",
      "= ",
      "\n",
      "\n\n",
      "\r\n",
      "\r",
      " ",
      "\t",
      "\\",
      "\ufeff",
    ),
    fc.constantFrom("'", '"', "`", "\\'", '\\"', "\\`", "\\n", "\\r", "#", " # note", "0x12", "two words"),
  );
  const line = fc
    .tuple(fc.constantFrom("A", "B", "export C", "D.e"), fc.constantFrom("=", ": "), fc.array(piece))
    .map(([name, mark, rest]) => `${name}${mark}${rest.join("")}\n`);
  const file = fc.array(fc.oneof(line, piece), { maxLength: 25 }).map((all) => all.join(""));

  test("agrees with dotenv", () => {
    fc.assert(
      fc.property(file, (text) => {
        assert.deepEqual(valuesIn(text), Object.entries(dotenv.parse(text)), JSON.stringify(text));
      }),
      { numRuns: randomCases(50_000) },
    );
  });

  test("names that every object has are only data", () => {
    const text = "__proto__=1\nconstructor=2\ntoString=3\n";
    assert.deepEqual(valuesIn(text), [
      ["__proto__", "1"],
      ["constructor", "2"],
      ["toString", "3"],
    ]);
  });

  test("knows the line of each name", () => {
    const variables = parseEnv('# first\nA=1\r\nexport B="x\ny"\n\nC: 3\nA=4');
    assert.deepEqual(
      [...variables.values()].map(({ name, line }) => [name, line]),
      [
        ["A", 6],
        ["B", 2],
        ["C", 5],
      ],
    );
  });

  test("more than 1,000 variables are refused", () => {
    const file = readEnvFile(Array.from({ length: 1_001 }, (_, at) => `A${at}=1`).join("\n"), "a.rpc.env");
    assert.deepEqual(file, { problem: "a.rpc.env has 1,001 variables. Use at most 1,000" });
  });

  test("an environment is named by its file, never by a path", () => {
    const names = ["staging.rpc.env", ".rpc.env", "a b.rpc.env", "x.env", "prod-1.rpc.env"];
    assert.deepEqual(environmentsAmong(names), ["prod-1", "staging"]);
    for (const name of ["../x", "a/b", "", "a.b", "x".repeat(65)]) assert.ok(!isEnvironmentName(name), name);
  });
});

describe("secrets", () => {
  const key = "ab".repeat(32);
  const phrase = "test test test test test test test test test test test junk";

  test("are recognised by their names", () => {
    for (const name of [
      "KEY",
      "PRIVATE_KEY",
      "deployerKey",
      "API_SECRET",
      "MNEMONIC",
      "AUTH_TOKEN",
      "apiKey",
      "KEY2",
    ])
      assert.ok(isSecretName(name), name);
    for (const name of ["TOKEN", "KEYBOARD", "MONKEY", "PUBLIC_KEY", "ADDRESS", "constructor", "__proto__"])
      assert.ok(!isSecretName(name), name);
  });

  test("an address is public; a mnemonic phrase and a service's key are not", () => {
    assert.ok(!isSecretValue("KEY_HOLDER", `0x${"a".repeat(40)}`));
    assert.ok(isSecretValue("WORDS", phrase));
    assert.ok(isSecretValue("X", `sk-${"a1".repeat(12)}`));
    assert.ok(!isSecretValue("SECRET", ""));
  });

  test("each secret that must not be committed has a kind", () => {
    const kinds = [
      secretKind("PRIVATE_KEY", `0x${key}`),
      secretKind("DEPLOYER_KEY", key),
      secretKind("BLOCK_HASH", `0x${key}`),
      secretKind("ANY", phrase),
      secretKind("API_KEY", "a1b2c3d4e5f6a7b8c9"),
      secretKind("API_KEY", "changeme"),
    ];
    assert.deepEqual(kinds, [
      "a private key",
      "a private key",
      undefined,
      "a seed phrase",
      "a key or password",
      undefined,
    ]);
  });
});
