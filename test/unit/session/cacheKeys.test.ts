import assert from "node:assert/strict";
import { test } from "node:test";
import { CacheKeys } from "../../../src/session/cacheKeys.ts";

test("equal parts have one key, and another connection, document or salt has another one", () => {
  const keys = new CacheKeys("salt");
  const key = keys.of("c-1", "edit", "file:///home/ada/a.ts");
  assert.equal(keys.of("c-1", "edit", "file:///home/ada/a.ts"), key);
  const others = [
    keys.of("c-2", "edit", "file:///home/ada/a.ts"),
    keys.of("c-1", "edit", "file:///home/ada/b.ts"),
    keys.of("c-1", "commit", "file:///home/ada/a.ts"),
    keys.of("c-1edit", "", "file:///home/ada/a.ts"),
    new CacheKeys("other").of("c-1", "edit", "file:///home/ada/a.ts"),
  ];
  assert.equal(new Set([key, ...others]).size, 6);
  for (const one of [key, ...others]) assert.match(one, /^[0-9a-f]{32}$/);
});
