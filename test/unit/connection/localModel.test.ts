import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConnectionDeps } from "../../../src/connection/deps.ts";
import type { LocalModelScan } from "../../../src/session/session.ts";
import { replace, shown } from "../vscodeDouble.ts";

const { reportWrongServers, useLocalModel } = await import("../../../src/connection/localModel.ts");

interface Asked {
  readonly label: string;
}

/** Dependencies of the command with these scan results, one after the other; `done` lists the actions. */
function deps(scans: readonly LocalModelScan[]): { readonly deps: ConnectionDeps; readonly done: unknown[] } {
  const done: unknown[] = [];
  const left = [...scans];
  const parts = {
    session: { findLocalModels: async () => left.shift(), refresh: () => done.push("refresh") },
    connections: { setActive: async (id: string) => void done.push(["active", id]) },
    chosenModels: { set: (id: string, model: string) => void done.push([id, model]) },
  };
  return { deps: parts as unknown as ConnectionDeps, done };
}

const llama = { id: "ollama/llama3.2", name: "llama3.2:latest (Ollama)" };
const coder = { id: "ollama/qwen2.5-coder@7b", name: "qwen2.5-coder:7b (Ollama)" };
replace("window", {
  withProgress: (_: unknown, work: (...args: unknown[]) => unknown) =>
    work({}, { onCancellationRequested() {} }),
});

test("chooses the only local model without a question and saves it for the sandbox", async () => {
  const { deps: parts, done } = deps([{ models: [llama], problems: [] }]);
  assert.equal(await useLocalModel(parts), true);
  assert.deepEqual(done, [["sandbox", llama.id], ["active", "sandbox"], "refresh"]);
});

test("asks which of several models to use; dismissing changes nothing", async (t) => {
  const scan = { models: [llama, coder], problems: [] };
  const first = deps([scan]);
  replace("window", { showQuickPick: async (items: readonly Asked[]) => items[1] }, t);
  assert.equal(await useLocalModel(first.deps), true);
  assert.deepEqual(first.done[0], ["sandbox", coder.id]);
  const second = deps([scan]);
  replace("window", { showQuickPick: async () => undefined }, t);
  assert.equal(await useLocalModel(second.deps), false);
  assert.deepEqual(second.done, []);
});

test("without a model, lists the scanned addresses and scans again", async (t) => {
  const messages: string[] = [];
  const showInformationMessage = async (message: string, again: string) => {
    messages.push(message);
    return again;
  };
  replace("window", { showInformationMessage }, t);
  const problem = "Ollama (http://127.0.0.1:11434) is not running: the connection was refused.";
  const { deps: parts } = deps([
    { models: [], problems: [problem] },
    { models: [llama], problems: [] },
  ]);
  assert.equal(await useLocalModel(parts), true);
  assert.equal(messages.length, 1);
  assert.ok(messages[0]?.includes(problem));
});

test("an address of another machine in the settings is reported with its setting and the rule", async (t) => {
  const addresses = ["http://127.0.0.1:8080", "http://10.0.0.5:11434"];
  const get = (id: string) => (id === "inference.sandbox.modelServers" ? addresses : undefined);
  replace("workspace", { getConfiguration: () => ({ get, inspect: () => undefined }) }, t);
  await reportWrongServers();
  assert.match(
    shown.join("\n"),
    /inference\.sandbox\.modelServers\[1\]: "http:\/\/10\.0\.0\.5:11434" is not an address of this machine/,
  );
});
