import assert from "node:assert/strict";
import { test } from "node:test";
import { readMcpFile } from "../../../../../../src/tools/mcp/client/config/mcpFile.ts";
import { replace } from "../../../../vscodeDouble.ts";

const { InputValues } = await import("../../../../../../src/tools/mcp/client/config/inputValues.ts");

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
  const stored = new Map<string, string>();
  const values = new InputValues({
    get: async (key: string) => stored.get(key),
    store: async (key: string, value: string) => void stored.set(key, value),
    delete: async (key: string) => void stored.delete(key),
  });
  const read = await Promise.all(
    servers.flatMap((one) => one.inputs.map((input) => values.read(one, input))),
  );
  assert.deepEqual(
    read,
    asked.map((title) => `for ${title}`),
  );
  assert.equal(asked.length, 2);
});
