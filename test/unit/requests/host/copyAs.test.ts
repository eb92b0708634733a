// A recorded request as a command of curl, run by a real shell, and as JSON.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { toCurl, toJsonText } from "../../../../src/requests/host/copyAs.ts";
import { attemptOf, calledOf, headFor } from "./calledOf.ts";

/** The arguments that a shell passes to curl. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; KEY=the-key; BASE_URL=http://sandbox\n${command}`;
  return execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

test("the command sends the same request with the key of the shell", () => {
  const command = toCurl(calledOf(), "https://example.com/api/v1") ?? assert.fail();
  assert.ok(!command.includes("***"));
  assert.deepEqual(argumentsOf(command), [
    ...["-X", "POST", "https://example.com/api/v1/chat/completions"],
    ...["-H", "authorization: Bearer the-key", "-H", "content-type: application/json"],
    ...["--data-raw", attemptOf().request?.text],
  ]);
});

test("nothing of a body is run by the shell", () => {
  const text = `'; touch /tmp/x; $(id) \`id\` "$KEY" \n\\`;
  const request = { type: "text/plain", bytes: text.length, text, isChanged: false };
  const command =
    toCurl(calledOf({ attempts: [attemptOf({ request, path: "/a'b" })] }), undefined) ?? assert.fail();
  const [, , url, ...rest] = argumentsOf(command);
  assert.equal(url, "http://sandbox/a'b");
  assert.equal(rest.at(-1), text);
});

test("a command with a part of the body says so; what was not sent has none", () => {
  const request = { type: "application/json", bytes: 9, text: "{}", isChanged: true };
  assert.match(
    toCurl(calledOf({ attempts: [attemptOf({ request })] }), undefined) ?? "",
    /^# Not all of the body/,
  );
  assert.equal(toCurl(calledOf({ attempts: [] }), undefined), undefined);
});

test("as JSON it has all that is recorded, with the connection and the price", () => {
  const value = JSON.parse(toJsonText(headFor({ cost: { USD: "0.01" } }), calledOf()));
  assert.deepEqual(value.price, { USD: "0.01" });
  assert.equal(value.connection, "Venice");
  assert.equal(value.attempts[0].status, 200);
});
