import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createPromptHistory } from "../../../../../../src/chat/page/composer/prompt/promptHistory.ts";
import { completeTrigger, triggerAt } from "../../../../../../src/chat/page/composer/prompt/slashCommands.ts";

test("a trigger character starts a completion at the start of a word, and a slash at the start of the question", () => {
  const at = (text: string) => triggerAt(text, text.length);
  assert.deepEqual(at("see @src/a"), { sign: "@", query: "src/a", from: 4, to: 10 });
  assert.deepEqual(at("(#sel"), { sign: "#", query: "sel", from: 1, to: 5 });
  assert.deepEqual(at("/re"), { sign: "/", query: "re", from: 0, to: 3 });
  for (const text of ["me@example.test", "a /re", "# Title", "see @a b", "/new chat", "", "1/2"])
    assert.equal(at(text), undefined, text);
  assert.equal(triggerAt("@hello there", 3)?.query, "he");
});

test("a completion replaces the typed part only", () => {
  fc.assert(
    fc.property(fc.string(), fc.stringMatching(/^[a-z]{0,6}$/), fc.string(), (before, query, after) => {
      const text = `${before} @${query}${after}`;
      const trigger = triggerAt(text, before.length + 2 + query.length);
      assert.ok(trigger);
      const done = completeTrigger(text, trigger, "@file.ts");
      assert.ok(done.text.startsWith(`${before} @file.ts`));
      assert.ok(done.text.endsWith(after));
      assert.equal(done.text.slice(0, done.cursor).trimEnd().slice(-8), "@file.ts");
    }),
  );
});

test("the arrow keys step through earlier questions, and never replace a typed text", () => {
  let stored: readonly string[] = [];
  const history = createPromptHistory(["one"], (prompts) => {
    stored = prompts;
  });
  history.add("two");
  history.add("one ");
  assert.deepEqual(stored, ["two", "one"]);
  assert.equal(history.step("newer", ""), undefined);
  assert.equal(history.step("older", "typed"), undefined);
  assert.equal(history.step("older", ""), "one");
  assert.equal(history.step("older", "one"), "two");
  assert.equal(history.step("older", "two"), undefined);
  assert.equal(history.step("older", "two, changed"), undefined);
  assert.equal(history.step("older", ""), "one");
  assert.equal(history.step("newer", "one"), "");
  assert.equal(history.step("newer", ""), undefined);
});
