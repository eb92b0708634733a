import assert from "node:assert/strict";
import { probeContext } from "./extensions.ts";

describe("SecretStorage", () => {
  it("stores a secret, reports the change, and deletes it", async () => {
    const { secrets } = await probeContext();
    const changed: string[] = [];
    const listener = secrets.onDidChange(({ key }) => changed.push(key));
    await secrets.store("probe", "a secret");
    assert.equal(await secrets.get("probe"), "a secret");
    await secrets.delete("probe");
    assert.equal(await secrets.get("probe"), undefined);
    listener.dispose();
    assert.deepEqual([...new Set(changed)], ["probe"]);
  });
});
