import assert from "node:assert/strict";
import { test } from "node:test";
import { createCallEchoes } from "../../../src/languageModels/callEchoes.ts";

const made = (id: string, text = "{}") => ({
  id,
  type: "function" as const,
  function: { name: "x", arguments: text },
});
const message = { role: "assistant", content: "text", reasoning_content: "why", thought_signature: "sig" };
const asked = (id: string, input: unknown = {}) => ({ id, name: "x", input });

test("a call is found by model and id while its name and input are the same", () => {
  const echoes = createCallEchoes();
  echoes.add("m", { message, calls: [made("1", '{"a": 1}')] });
  const found = echoes.find("m", asked("1", { a: 1 }));
  assert.deepEqual(found?.call, made("1", '{"a": 1}'));
  assert.deepEqual(found?.echo, { reasoning_content: "why", thought_signature: "sig" });
  assert.equal(echoes.find("other", asked("1", { a: 1 })), undefined);
  assert.equal(echoes.find("m", asked("1", { a: 2 })), undefined);
  assert.equal(echoes.find("m", { ...asked("1", { a: 1 }), name: "y" }), undefined);
});

test("the least recently used calls are dropped above either bound", () => {
  const few = createCallEchoes({ calls: 2, characters: 1e6 });
  for (const id of ["1", "2"]) few.add("m", { message, calls: [made(id)] });
  assert.ok(few.find("m", asked("1")));
  few.add("m", { message, calls: [made("3")] });
  assert.deepEqual(
    ["1", "2", "3"].map((id) => few.find("m", asked(id)) !== undefined),
    [true, false, true],
  );
  const small = createCallEchoes({ calls: 100, characters: 850 });
  small.add("m", { message, calls: [made("1")] });
  small.add("m", { message: { ...message, reasoning_content: "y".repeat(700) }, calls: [made("2")] });
  assert.equal(small.find("m", asked("1")), undefined);
  assert.ok(small.find("m", asked("2")));
});
