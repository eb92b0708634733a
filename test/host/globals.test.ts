import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { bundlePath, ourExtension } from "./extensions.ts";
import { readGlobals, rememberedGlobals } from "./globals.ts";

describe("the extension host's globals", () => {
  it("hold a dispatcher to be spoilt", () => {
    const dispatchers = [...rememberedGlobals().keys()].filter((name) =>
      name.includes("undici.globalDispatcher"),
    );
    assert.notDeepEqual(dispatchers, []);
  });

  it("stay as they were when the extension is activated", async () => {
    await ourExtension().activate();
    assertUnchanged();
  });

  for (const name of ["extension.js", "sandbox.js", "undici.js"]) {
    it(`stay as they were when ${name} is loaded`, () => {
      const require = createRequire(bundlePath(name));
      delete require.cache[bundlePath(name)]; // so that this really runs it, whoever loaded it before
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
