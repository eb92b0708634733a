import assert from "node:assert/strict";
import { test } from "node:test";
import { checkBaseUrl, isLoopback, originOf } from "../../../../src/session/connection/baseUrl.ts";

const taken: readonly (readonly [string, string])[] = [
  ["https://api.example.com", "https://api.example.com"],
  ["  https://api.example.com/  ", "https://api.example.com"],
  ["https://api.example.com/api/v1/", "https://api.example.com/api/v1"],
  ["HTTPS://API.example.com:8443/x", "https://api.example.com:8443/x"],
  ["http://127.0.0.1:4000", "http://127.0.0.1:4000"],
  ["http://localhost:4000/", "http://localhost:4000"],
  ["http://[::1]:4000", "http://[::1]:4000"],
];

for (const [typed, url] of taken) {
  test(`takes ${typed}`, () => {
    const checked = checkBaseUrl(typed);
    assert.deepEqual(checked, { ok: true, url, origin: new URL(url).origin });
  });
}

const refused: readonly (readonly [string, RegExp])[] = [
  ["", /Enter the address/],
  ["api.example.com", /begin with https/],
  ["https://", /is not a URL/],
  ["https://exa mple.com", /is not a URL/],
  ["http://api.example.com", /unencrypted/],
  ["http://127.0.0.1.example.com", /unencrypted/],
  ["http://localhost.example.com", /unencrypted/],
  ["ftp://api.example.com", /unencrypted/],
  ["https://me:secret@api.example.com", /user name and password/],
  ["https://api.example.com?key=1", /Remove the part from/],
  ["https://api.example.com/#x", /Remove the part from/],
];

for (const [typed, problem] of refused) {
  test(`refuses "${typed}"`, () => {
    const checked = checkBaseUrl(typed);
    assert.ok(!checked.ok);
    assert.match(checked.problem, problem);
  });
}

test("only a valid address has an origin", () => {
  assert.equal(originOf("https://a.example/x"), "https://a.example");
  assert.equal(originOf("http://a.example/x"), undefined);
});

test("loopback is recognized by the host only", () => {
  assert.equal(isLoopback("http://127.1.2.3/"), true);
  assert.equal(isLoopback("https://127.0.0.1.example/"), false);
  assert.equal(isLoopback("nonsense"), false);
});
