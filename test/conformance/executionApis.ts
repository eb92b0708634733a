// The recorded calls of ethereum/execution-apis as notebooks with expectations: `node test/conformance/executionApis.ts
// DIR`, where DIR is the folder `tests` of a checkout. The shipped runner sends them to a server that only knows the
// recorded requests, so a request that differs fails its cell.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { root } from "../tools/paths.ts";

interface Recorded {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly response: {
    readonly result?: unknown;
    readonly error?: { readonly code: number; readonly message: string };
  };
}

const folder = process.argv[2] ?? "";
if (folder === "") throw new Error("usage: node test/conformance/executionApis.ts DIR");

const notebooks = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && /^(eth|debug)_/.test(entry.name))
  .map(({ name }) => ({ name, calls: readCalls(join(folder, name)) }));
const recorded = new Map(
  notebooks.flatMap(({ calls }) => calls).map((call) => [keyOf(call.method, call.params), call.response]),
);

const server = createServer(async (request, response) => {
  const {
    id,
    method,
    params = [],
  } = JSON.parse(await text(request)) as { id: number; method: string; params?: unknown[] };
  const found = recorded.get(keyOf(method, params)) ?? { error: { code: -1, message: "not recorded" } };
  response
    .setHeader("content-type", "application/json")
    .end(JSON.stringify({ jsonrpc: "2.0", id, ...found }));
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const home = mkdtempSync(join(tmpdir(), "execution-apis-"));
try {
  const files = notebooks.map(({ name, calls }) => {
    const path = join(home, `${name}.rpc.md`);
    writeFileSync(path, `# ${name}\n\n${calls.map(cellOf).join("\n")}`);
    return path;
  });
  const { port } = server.address() as AddressInfo;
  const args = ["--network", "local", "--local-node", `http://127.0.0.1:${port}`, "--allow-writes"];
  const child = spawn(process.execPath, [join(root, "dist", "rpc-run.js"), ...files, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, "close")]);
  const failed = output.split("\n").filter((line) => !line.startsWith("ok  "));
  console.log(failed.join("\n"));
  process.exitCode = status ?? 1;
} finally {
  server.close();
  rmSync(home, { recursive: true });
}

function keyOf(method: string, params: readonly unknown[]): string {
  return JSON.stringify([method, params]);
}

/** The exchanges of all files of a method. */
function readCalls(path: string): readonly Recorded[] {
  return readdirSync(path)
    .filter((name) => name.endsWith(".io"))
    .flatMap((name) => {
      const lines = readFileSync(join(path, name), "utf8").split("\n");
      const requests = lines
        .filter((line) => line.startsWith(">> "))
        .map((line) => JSON.parse(line.slice(3)));
      const responses = lines
        .filter((line) => line.startsWith("<< "))
        .map((line) => JSON.parse(line.slice(3)));
      return requests.map(({ method, params = [] }, at): Recorded => {
        const { result, error } = responses[at];
        return { method, params, response: error ? { error } : { result } };
      });
    });
}

function cellOf({ method, params, response }: Recorded): string {
  const { result, error } = response;
  const expected = error
    ? [`expect error ${error.code}`, `expect error ${JSON.stringify(error.message)}`]
    : result === null
      ? ["expect $r is-null"]
      : [`expect $r == ${JSON.stringify(result)}`];
  const line = `r = ${method} ${params.map((param) => JSON.stringify(param)).join(" ")}`;
  return ["```rpc", `@allow ${method}`, line, ...expected, "```", ""].join("\n");
}
