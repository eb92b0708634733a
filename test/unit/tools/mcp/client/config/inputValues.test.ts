import assert from "node:assert/strict";
import { test } from "node:test";
import { readMcpFile } from "../../../../../../src/tools/mcp/client/config/mcpFile.ts";
import { replace } from "../../../../vscodeDouble.ts";

const { InputValues } = await import("../../../../../../src/tools/mcp/client/config/inputValues.ts");

const secretsIn = (stored: Map<string, string>) => ({
  get: async (key: string) => stored.get(key),
  store: async (key: string, value: string) => void stored.set(key, value),
});

test("a value is asked once; after a failed start it is in the question, and can be kept or corrected", async (t) => {
  const inputs = [
    { id: "k", type: "promptString", password: true },
    { id: "p", type: "pickString", options: ["a", "b", "c"] },
  ];
  const text = JSON.stringify({ servers: { one: { command: `\${input:k} \${input:p}` } }, inputs });
  const [server] = readMcpFile(text, { label: "mcp.json", path: "/mcp.json" }).servers;
  assert.ok(server);
  const asked: unknown[] = [];
  const answers: (string | undefined)[] = ["first", "b", undefined, "second", "b"];
  const showInputBox = async ({
    value,
    password,
  }: {
    readonly value: string;
    readonly password: boolean;
  }) => {
    asked.push([value, password]);
    return answers.shift();
  };
  const showQuickPick = async (items: readonly string[]) => {
    asked.push(items);
    return answers.shift();
  };
  replace("window", { showInputBox, showQuickPick }, t);
  const values = new InputValues(secretsIn(new Map()));
  const read = async () => {
    const found: string[] = [];
    for (const input of server.inputs) found.push(await values.read(server, input));
    return found;
  };
  assert.deepEqual(
    [await read(), await read()],
    [
      ["first", "b"],
      ["first", "b"],
    ],
  );
  assert.deepEqual(asked.splice(0), [
    ["", true],
    ["a", "b", "c"],
  ]);
  values.doubt(server);
  await assert.rejects(read(), /It needs the input k, and none was given/);
  assert.deepEqual(
    [await read(), await read()],
    [
      ["second", "b"],
      ["second", "b"],
    ],
  );
  assert.deepEqual(asked, [
    ["first", true],
    ["first", true],
    ["b", "a", "c"],
  ]);
});

test("the inputs of servers that start together are asked one after the other: the editor shows one question", async (t) => {
  const inputs = [{ id: "k", type: "promptString", password: true }];
  const server = { command: "a", env: { K: `\${input:k}` } };
  const text = JSON.stringify({ servers: { one: server, two: server }, inputs });
  const { servers } = readMcpFile(text, { label: "mcp.json", path: "/mcp.json" });
  const asked: string[] = [];
  let close: (() => void) | undefined;
  const showInputBox = ({ title }: { readonly title: string }) => {
    // The editor closes the question before, without a value.
    close?.();
    asked.push(title);
    return new Promise<string | undefined>((resolve) => {
      close = () => resolve(undefined);
      setImmediate(() => {
        close = undefined;
        resolve(`for ${title}`);
      });
    });
  };
  replace("window", { showInputBox }, t);
  const values = new InputValues(secretsIn(new Map()));
  const read = await Promise.all(
    servers.flatMap((one) => one.inputs.map((input) => values.read(one, input))),
  );
  assert.deepEqual(
    read,
    asked.map((title) => `for ${title}`),
  );
  assert.equal(asked.length, 2);
});
