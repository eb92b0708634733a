// Commands are registered by the manifest alone; what they do is loaded with the feature of their domain.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Lazy } from "../../../../../src/platform/lazy.ts";
import { type CommandId, commands } from "../../../../../src/shared/names/ids.ts";
import { replace } from "../../../vscodeDouble.ts";

const { registerCommands } = await import("../../../../../src/platform/editor/commands/domainCommands.ts");

type Domains = Parameters<typeof registerCommands>[1];

const ids: readonly CommandId[] = Object.values(commands);
const manifest = { contributes: { commands: ids.map((command) => ({ command })) } };

/** The domains; their commands return their ids and arguments. The names of loaded domains are noted. */
function setUp(t: TestContext) {
  const loaded: string[] = [];
  const failing = new Set<string>();
  const domains = Object.fromEntries(
    [...new Set(ids.map((id) => id.split(".")[1] ?? ""))].map((name) => [
      name,
      {
        feature: new Lazy(async () => {
          loaded.push(name);
          if (failing.delete(name)) throw new Error("the bundle can't be read");
          const own = ids.filter((id) => id.startsWith(`inference.${name}.`));
          return {
            commands: Object.fromEntries(own.map((id) => [id, (...args: unknown[]) => [id, ...args]])),
          };
        }),
      },
    ]),
  );
  const registered = new Map<string, (...args: unknown[]) => unknown>();
  replace(
    "commands",
    {
      registerCommand: (id: string, run: (...args: unknown[]) => unknown) => {
        registered.set(id, run);
        return { dispose: () => registered.delete(id) };
      },
    },
    t,
  );
  const registration = registerCommands(manifest, domains as unknown as Domains);
  const run = async (id: CommandId, ...args: unknown[]) => registered.get(id)?.(...args);
  return { loaded, failing, registered, registration, run };
}

test("all commands of the manifest are registered, and nothing is loaded", (t) => {
  const { registered, loaded, registration } = setUp(t);
  assert.deepEqual([...registered.keys()], ids);
  assert.deepEqual(loaded, []);
  registration.dispose();
  assert.equal(registered.size, 0);
});

test("each command runs in its domain with its arguments, and its result is returned", async (t) => {
  const { run, loaded } = setUp(t);
  for (const id of ids) assert.deepEqual(await run(id, "first", { second: 2 }), [id, "first", { second: 2 }]);
  assert.deepEqual(loaded, [...new Set(loaded)]);
});

test("a command loads its own domain alone", async (t) => {
  const { run, loaded } = setUp(t);
  await run(commands.webSearch);
  assert.deepEqual(loaded, ["web"]);
});

test("a command whose domain could not be loaded runs the next time", async (t) => {
  const { run, failing, loaded } = setUp(t);
  failing.add("rpc");
  await assert.rejects(run(commands.rpcNew), /can't be read/);
  assert.deepEqual(await run(commands.rpcNew), [commands.rpcNew]);
  assert.deepEqual(loaded, ["rpc", "rpc"]);
});
