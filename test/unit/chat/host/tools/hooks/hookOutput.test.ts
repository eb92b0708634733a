// What a hook says by its exit code and its output, whatever that is.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Hook, HookEvent } from "../../../../../../src/chat/host/tools/hooks/hookFile.ts";
import { type HookSays, readHookOutput } from "../../../../../../src/chat/host/tools/hooks/hookOutput.ts";
import type { HookEnd } from "../../../../../../src/chat/host/tools/hooks/runHook.ts";

const hookAt = (event: HookEvent): Hook => ({
  ...{ event, command: "./check.sh", env: {}, timeoutMs: 5_000 },
  file: { label: ".github/hooks/a.json", path: "/w/.github/hooks/a.json", folder: "/w", isOwn: false },
});
const ended: HookEnd = { code: 0, stdout: "", stderr: "", isCut: false, isLate: false };
const said = (event: HookEvent, end: Partial<HookEnd>) => readHookOutput(hookAt(event), { ...ended, ...end });
const printed = (event: HookEvent, value: unknown) =>
  said(event, { stdout: typeof value === "string" ? value : JSON.stringify(value) });
const silent: HookSays = { context: [], notes: [] };
const specific = (event: HookEvent, members: object) => ({
  hookSpecificOutput: { hookEventName: event, ...members },
});

test("a hook refuses by its decision, by exit code 2, and in the formats of others", () => {
  const deny = { permissionDecision: "deny", permissionDecisionReason: "no" };
  assert.deepEqual(printed("PreToolUse", specific("PreToolUse", deny)), { ...silent, refusal: "no" });
  assert.deepEqual(printed("PreToolUse", { hookSpecificOutput: deny }), { ...silent, refusal: "no" });
  assert.deepEqual(printed("PreToolUse", deny), { ...silent, refusal: "no" });
  assert.deepEqual(printed("PreToolUse", { decision: "block", reason: "no" }), { ...silent, refusal: "no" });
  assert.deepEqual(said("PreToolUse", { code: 2, stderr: "no\n", stdout: "x", isCut: true }), {
    ...silent,
    refusal: "no",
  });
  assert.match(said("PreToolUse", { code: 2 }).refusal ?? "", /gave no reason/);
  // Also with the names and in the shapes of other programs, and after what a shell prints at its start.
  const named = { hookSpecificOutput: { hookEventName: "preToolUse", ...deny } };
  for (const value of [
    named,
    specific("PreToolUse", { ...deny, permissionDecision: "block" }),
    { decision: "deny", reason: "no" },
    `Now using node v24\n\n${JSON.stringify(deny, undefined, 2)}\n`,
  ])
    assert.deepEqual(printed("PreToolUse", value), { ...silent, refusal: "no" }, JSON.stringify(value));
  for (const value of [deny, named, { decision: "block", reason: "no" }])
    assert.deepEqual(said("PreToolUse", { code: 2, stdout: JSON.stringify(value) }), {
      ...silent,
      refusal: "no",
    });
});

test("a hook approves nothing, and what it asks for is asked", () => {
  for (const value of [
    specific("PreToolUse", { permissionDecision: "allow", permissionDecisionReason: "fine" }),
    { permissionDecision: "allow" },
    { decision: "approve" },
    { continue: true },
    { ok: true },
  ])
    assert.deepEqual(printed("PreToolUse", value), silent, JSON.stringify(value));
  const ask = specific("PreToolUse", { permissionDecision: "ask", permissionDecisionReason: "sure?" });
  assert.deepEqual(printed("PreToolUse", ask), { ...silent, ask: "sure?" });
});

test("a hook adds context, stops the task, or lets it go on", () => {
  assert.deepEqual(printed("PostToolUse", specific("PostToolUse", { additionalContext: "lint: 2" })), {
    ...silent,
    context: ["lint: 2"],
  });
  assert.deepEqual(printed("PostToolUse", { decision: "block", reason: "broken" }).context, ["broken"]);
  assert.deepEqual(said("PostToolUse", { code: 2, stderr: "broken" }).context, ["broken"]);
  for (const event of ["PreToolUse", "PostToolUse", "Stop"] as const)
    assert.deepEqual(printed(event, { continue: false, stopReason: "late" }), { ...silent, halt: "late" });
  assert.deepEqual(printed("Stop", specific("Stop", { decision: "block", reason: "run the tests" })), {
    ...silent,
    goOn: "run the tests",
  });
  assert.deepEqual(printed("Stop", { decision: "block", reason: "tests" }), { ...silent, goOn: "tests" });
  assert.deepEqual(said("Stop", { code: 2, stderr: "tests" }), { ...silent, goOn: "tests" });
});

for (const [name, end, note] of [
  [
    "another exit code",
    { code: 1, stderr: "a\nb: not found\n" },
    /ended with code 1: b: not found\. The call went on/,
  ],
  ["a signal", { code: null }, /was killed\. The call went on/],
  ["its time limit", { code: null, isLate: true }, /had not ended after 5 s, so it was ended/],
  ["no start", { code: null, failure: "ENOENT" }, /could not be started: ENOENT/],
  ["too much output", { stdout: "{", isCut: true }, /printed more than is read/],
  ["no JSON", { stdout: "formatted 3 files" }, /printed no JSON, so its output is not used: /],
  ["a list", { stdout: "[]" }, /JSON that is no object/],
  ["deep JSON", { stdout: "[".repeat(200_000) }, /printed no JSON/],
  [
    "a text for another event",
    { stdout: '{"hookSpecificOutput":{"hookEventName":"Stop"}}' },
    /not for PreToolUse/,
  ],
  ["a part that is a text", { stdout: '{"hookSpecificOutput":"deny"}' }, /not for PreToolUse/],
  ["an unknown decision", { stdout: '{"permissionDecision":"maybe"}' }, /other than allow, ask and deny/],
  ["a context that is a number", { stdout: '{"additionalContext":5}' }, /additionalContext that is no text/],
  ["another input", { stdout: '{"hookSpecificOutput":{"updatedInput":{}}}' }, /wanted another input/],
  ["a message", { stdout: '{"systemMessage":"Watch\\u202e out."}' }, /says: Watch⟨U\+202E⟩ out\.$/],
] as const)
  test(`a sentence names the hook and what is to be said: ${name}`, () => {
    const { notes, ...others } = said("PreToolUse", end);
    assert.deepEqual(others, { context: [] });
    assert.equal(notes.length, 1);
    assert.match(notes[0] ?? "", /^The hook "\.\/check\.sh" of \.github\/hooks\/a\.json /);
    assert.match(notes[0] ?? "", note);
  });

test("whatever a hook says is bounded", () => {
  const long = "x".repeat(900_000);
  const value = {
    ...specific("PreToolUse", {
      permissionDecision: "deny",
      permissionDecisionReason: long,
      additionalContext: long,
    }),
    systemMessage: long,
    stopReason: long,
    continue: false,
  };
  assert.ok(JSON.stringify(printed("PreToolUse", value)).length < 15_000);
  assert.ok(JSON.stringify(said("PreToolUse", { code: 2, stderr: long })).length < 3_000);
});
