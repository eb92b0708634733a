import assert from "node:assert/strict";
import { test } from "node:test";
import { claude, gpt, local } from "../../agentTasks/styles.ts";
import { agentTasks, casesOf } from "../../agentTasks/tasks.ts";
import { listedCases, randomCases } from "../../runner/cases.ts";

const letters = [..."abcdefghijklmnopqrstuvwxyz"];

test("all cases run unless the runner asks for fewer", () => {
  assert.equal(randomCases(20_000, "all"), 20_000);
  assert.deepEqual(listedCases(letters, undefined, "all"), letters);
});

test("a complete run takes a twentieth of the random cases, at least ten, and never more than all", () => {
  assert.equal(randomCases(20_000, "few"), 1000);
  assert.equal(randomCases(60, "few"), 10);
  assert.equal(randomCases(4, "few"), 4);
});

test("a script asks for a number of random cases, and for all that are listed", () => {
  assert.equal(randomCases(1000, "50000"), 50_000);
  assert.deepEqual(listedCases(letters, undefined, "50000"), letters);
});

test("the few of a list are from its whole length", () => {
  assert.deepEqual(listedCases(letters, undefined, "few"), [..."adgilnqtvy"]);
  assert.deepEqual(listedCases([..."abc"], undefined, "few"), [..."abc"]);
  assert.deepEqual(listedCases([], undefined, "few"), []);
  assert.deepEqual(listedCases(letters, 2, "few"), [..."an"]);
});

test("the few tasks of agents are each task, each family as often as the others; the broken JSON is that of a local model", () => {
  const all = casesOf([claude, gpt, local]);
  assert.equal(new Set(all.map(({ task, style }) => `${task.name} ${style.name}`)).size, 27);
  const few = listedCases(all, agentTasks.length, "few");
  assert.deepEqual(
    few.map(({ task }) => task),
    agentTasks,
  );
  assert.deepEqual(
    [claude, gpt, local].map((style) => few.filter((one) => one.style === style).length),
    [3, 3, 3],
  );
  assert.equal(few.find(({ task }) => task.name === "broken JSON")?.style, local);
});
