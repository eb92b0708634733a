import assert from "node:assert/strict";
import { test } from "node:test";
import { checkModelServer } from "../../../../src/shared/web/modelServer.ts";

const taken: readonly (readonly [address: string, url: string, name: string])[] = [
  ["http://127.0.0.1:11434", "http://127.0.0.1:11434", "Ollama"],
  ["http://localhost:1234/v1/", "http://localhost:1234", "LM Studio"],
  [" http://[::1]:8080/v1 ", "http://[::1]:8080", "[::1]:8080"],
  ["http://127.1.2.3:9000/llm", "http://127.1.2.3:9000/llm", "127.1.2.3:9000/llm"],
  ["http://0x7f000001:8080", "http://127.0.0.1:8080", "127.0.0.1:8080"],
];

for (const [address, url, name] of taken)
  test(`takes ${address}`, () => {
    const check = checkModelServer(address);
    assert.ok(check.ok);
    assert.deepEqual([check.server.url, check.server.name], [url, name]);
  });

const refused: readonly (readonly [string, RegExp])[] = [
  ["", /is not a URL/],
  ["127.0.0.1:8080", /not a URL|http:\/\//],
  ["https://127.0.0.1:8080", /must begin with http:\/\//],
  ["http://10.0.0.5:11434", /"http:\/\/10\.0\.0\.5:11434" is not an address of this machine/],
  ["http://127.0.0.1.example.com", /not an address of this machine/],
  ["http://localhost.example.com", /not an address of this machine/],
  ["http://0.0.0.0:11434", /not an address of this machine/],
  ["http://me:secret@127.0.0.1", /only host, port and path/],
  ["http://127.0.0.1?key=1", /only host, port and path/],
];

for (const [address, problem] of refused)
  test(`refuses "${address}"`, () => {
    const check = checkModelServer(address);
    assert.ok(!check.ok);
    assert.match(check.problem, problem);
  });
