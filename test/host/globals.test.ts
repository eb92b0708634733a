import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { bundlePath, ourExtension } from "./extensions.ts";
import { readGlobals, rememberedGlobals } from "./globals.ts";

describe("the extension host's globals", () => {
  it("contain a dispatcher to check", () => {
    const dispatchers = [...rememberedGlobals().keys()].filter((name) =>
      name.includes("undici.globalDispatcher"),
    );
    assert.notDeepEqual(dispatchers, []);
  });

  it("are unchanged after activation", async () => {
    await ourExtension().activate();
    assertUnchanged();
  });

  for (const name of ["extension.js", "sandbox.js", "undici.js"]) {
    it(`are unchanged after loading ${name}`, () => {
      const require = createRequire(bundlePath(name));
      delete require.cache[bundlePath(name)]; // run it again even if it is loaded
      require(bundlePath(name));
      assertUnchanged();
    });
  }
});

function assertUnchanged(): void {
  const before = rememberedGlobals();
  const now = readGlobals();
  assert.deepEqual([...now.keys()], [...before.keys()]);
  for (const [name, value] of before) assert.ok(now.get(name) === value, `${name} was replaced`);
}
