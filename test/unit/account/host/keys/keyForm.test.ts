import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import {
  creationPauseMs,
  descriptionProblem,
  emptyKeyDraft,
  expiryProblem,
  expiryPrompt,
  keyIdProblem,
  limitProblem,
  pastProblem,
  summaryOf,
  takesPrivacy,
  toNewKey,
  typedExpiryOf,
  withOtherLimits,
} from "../../../../../src/account/host/keys/keyForm.ts";
import { dialects } from "../../../../../src/api/dialect/dialect.ts";
import { createTemporaryFiles } from "../../../../../src/platform/files/durable/temporaryFiles.ts";
import {
  addToGitignore,
  hasVariable,
  ignoreState,
  secretProblem,
  variableProblem,
  withVariable,
  writeVariable,
} from "../../../../../src/platform/files/envFile.ts";
import { moneyIn, usd } from "../../../../../src/shared/money/money.ts";

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "env-"));
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}
const git = (cwd: string, ...args: string[]) => execFileSync("git", args, { cwd, stdio: "pipe" });

test("omits empty fields from the request", () => {
  assert.deepEqual(toNewKey({ ...emptyKeyDraft, description: " ci " }), {
    apiKeyType: "INFERENCE",
    description: "ci",
  });
  assert.deepEqual(
    toNewKey({
      ...emptyKeyDraft,
      type: "ADMIN",
      description: "x",
      usd: "2.5",
      period: "EPOCH",
      expiresAtMs: 0,
    }),
    {
      apiKeyType: "ADMIN",
      description: "x",
      consumptionLimit: { usd: 2.5 },
      limitPeriod: "EPOCH",
      expiresAt: "1970-01-01T00:00:00.000Z",
    },
  );
});

test("the summary lists all fields", () => {
  assert.equal(
    summaryOf({ ...emptyKeyDraft, description: "ci", usd: "5", diem: "1" }, "UTC"),
    "Name: ci\nType: INFERENCE, calls models only\nLimit: $5 and 1 DIEM per month\nExpires: never",
  );
  assert.match(
    summaryOf({ ...emptyKeyDraft, expiresAtMs: Date.UTC(2027, 0, 2, 17) }, "Europe/Berlin"),
    /Limit: none\nExpires: 2027-01-02 18:00 \(Europe\/Berlin, UTC\+01:00\)$/,
  );
});

test("validates limits as typed", () => {
  for (const good of ["", "0", "5", "0.25", "1,5", " 7 "]) assert.equal(limitProblem(good), undefined, good);
  for (const bad of ["-1", "1e3", "1,500", "five", ".", "9999999999"]) assert.ok(limitProblem(bad), bad);
});

test("an expiry is an instant of the user's own zone, which is said; one in the past is refused with its value", () => {
  const now = Date.UTC(2026, 7, 15, 12);
  const zone = "Europe/Berlin";
  assert.equal(expiryProblem("2026-08-15 14:01", now, zone), undefined);
  const sent = toNewKey({ ...emptyKeyDraft, expiresAtMs: typedExpiryOf("2026-08-15 14:01", zone) });
  assert.equal(sent.expiresAt, "2026-08-15T12:01:00.000Z");
  assert.equal(new Date(typedExpiryOf("2026-08-16", zone)).toISOString(), "2026-08-15T22:00:00.000Z");
  assert.equal(
    expiryProblem("2026-08-15 14:00", now, zone),
    "The expiry must be in the future; 2026-08-15 14:00 (Europe/Berlin, UTC+02:00) has passed.",
  );
  for (const bad of ["2026-08-15", "2026-02-31", "tomorrow", "", "2026-08-16T00:00:00Z"])
    assert.ok(expiryProblem(bad, now, zone), bad);
  assert.equal(pastProblem(undefined, now, zone), undefined, "never");
  assert.equal(pastProblem(now + 1, now, zone), undefined);
  assert.match(
    pastProblem(now, now, zone) ?? "",
    /must be in the future/,
    "it has passed since it was typed",
  );
  assert.match(expiryPrompt(now, zone), /it is 2026-08-15 14:00 \(Europe\/Berlin, UTC\+02:00\) now/);
});

test("changing a limit keeps the others, also one in VCU", () => {
  const limits = { usd: usd("1.5"), diem: undefined, vcu: moneyIn("VCU", 3) };
  assert.deepEqual(withOtherLimits(limits, { usd: 2 }), { usd: 2, vcu: 3 });
  assert.deepEqual(withOtherLimits(limits, { diem: 1 }), { usd: 1.5, vcu: 3, diem: 1 });
  assert.deepEqual(withOtherLimits(limits, { vcu: null }), { usd: 1.5, vcu: null });
});

test("only what is shaped like an id is looked up, so that no secret goes out as one", () => {
  assert.equal(keyIdProblem(" 12345678-90AB-cdef-1234-567890abcdef "), undefined);
  const secret = "sandbox-inference-0123456789abcdef0123456789abcdef";
  for (const bad of [
    "",
    "ci",
    secret,
    "12345678-90ab-cdef-1234-567890abcdef/..",
    "1234567890abcdef1234567890abcdef",
  ])
    assert.match(keyIdProblem(bad) ?? "", /not its id/, bad);
});

test("limits names to the service's maximum before anything is sent", () => {
  const { standard, venice } = dialects;
  for (const dialect of [standard, venice]) {
    assert.ok(descriptionProblem(dialect, "  "));
    assert.equal(descriptionProblem(dialect, ` ${"x".repeat(64)} `), undefined);
    assert.match(descriptionProblem(dialect, "x".repeat(201)) ?? "", /at most \d+ characters.* has 201\.$/);
  }
  assert.equal(descriptionProblem(standard, "x".repeat(65)), undefined);
  assert.equal(
    descriptionProblem(venice, "x".repeat(65)),
    "A name may have at most 64 characters on this service; this one has 65.",
  );
});

test("asks for the allowed models if the service has such a rule", () => {
  assert.deepEqual([takesPrivacy(dialects.standard), takesPrivacy(dialects.venice)], [false, true]);
  const draft = { ...emptyKeyDraft, description: "ci", privacy: "PRIVATE_ONLY" } as const;
  assert.equal(toNewKey(draft).modelPrivacy, "PRIVATE_ONLY");
  assert.match(summaryOf(draft, "UTC"), /\nMay call: private models only$/);
});

test("the twenty-first key of a minute waits for the first", () => {
  const times = Array.from({ length: 20 }, (_, index) => 1000 * index);
  assert.equal(creationPauseMs(times, 20_000), 40_000);
  assert.equal(creationPauseMs(times.slice(1), 20_000), 0);
  assert.equal(creationPauseMs(times, 60_000), 0);
});

test("asks git whether it would commit the file, tracked files included", async (t) => {
  const path = folder(t);
  assert.equal(await ignoreState(path, ".env"), "no-repository");
  git(path, "init", "-q");
  assert.equal(await ignoreState(path, ".env"), "not-ignored");
  writeFileSync(join(path, ".gitignore"), "dist");
  await addToGitignore(path, ".env");
  assert.equal(readFileSync(join(path, ".gitignore"), "utf8"), "dist\n.env\n");
  assert.equal(await ignoreState(path, ".env"), "ignored");
  writeFileSync(join(path, ".env"), "A=1\n");
  git(path, "add", "-f", ".env");
  assert.equal(
    await ignoreState(path, ".env"),
    "not-ignored",
    "a tracked file is committed despite .gitignore",
  );
});

test("refuses a multi-line secret and a link to another file", async (t) => {
  const path = folder(t);
  const env = join(path, ".env");
  const tracked = join(path, "settings.txt");
  writeFileSync(tracked, "A=1\n");
  assert.equal(await secretProblem(env, "sk-aB3_x.y~z+/="), undefined);
  for (const secret of ["", "a\nNODE_OPTIONS=--require=/tmp/x", "a\rb", "$(id)", "`id`", "a b", "a#b", "'a'"])
    assert.match((await secretProblem(env, secret)) ?? "", /special meaning/, secret);
  symlinkSync(tracked, env);
  assert.match((await secretProblem(env, "secret")) ?? "", /a link to another file/);
  symlinkSync(tracked, join(path, ".gitignore"));
  await addToGitignore(path, ".env");
  assert.equal(readFileSync(tracked, "utf8"), "A=1\n");
});

test("replaces a variable in place and keeps the rest of the file", async (t) => {
  assert.equal(withVariable("", "KEY", "s"), "KEY=s\n");
  assert.equal(withVariable("A=1", "KEY", "s"), "A=1\nKEY=s\n");
  assert.equal(withVariable("A=1\r\nB=2\r\n", "KEY", "s"), "A=1\r\nB=2\r\nKEY=s\r\n");
  assert.equal(withVariable("# KEY=x\nKEY = old # why\nKEYS=2\n", "KEY", "$&"), "# KEY=x\nKEY=$&\nKEYS=2\n");
  assert.equal(withVariable("export KEY=old\n", "KEY", "s"), "KEY=s\n");
  const path = join(folder(t), ".env");
  assert.equal(await hasVariable(path, "KEY"), false);
  await writeVariable(path, "KEY", "s", createTemporaryFiles(undefined));
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(await hasVariable(path, "KEY"), true);
  assert.equal(await hasVariable(path, "KE"), false);
  for (const bad of ["", "1A", "A-B", "A B", "A="]) assert.ok(variableProblem(bad), bad);
});
