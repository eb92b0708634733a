import assert from "node:assert/strict";
import { test } from "node:test";
import { bypasses } from "../../../../src/session/connection/baseUrl.ts";

const cases: readonly (readonly [readonly string[], string, boolean])[] = [
  [[], "https://api.example.com/v1", false],
  [[], "http://127.0.0.1:1/", true],
  [["api.example.com"], "https://api.example.com/v1", true],
  [["api.example.com:8443"], "https://api.example.com:8443/", true],
  [["api.example.com:8443"], "https://api.example.com/", false],
  [[".example.com"], "https://api.example.com/", true],
  [["*.example.com"], "https://api.example.com/", true],
  [["example.com"], "https://api.example.com/", false],
  [["*"], "https://api.example.com/", true],
  [["10.0.0.0/8"], "https://10.1.2.3:8443/v1", true],
  [["10.0.0.0/8"], "https://11.1.2.3/v1", false],
  [["fd00::/8"], "https://[fd00::12]/", true],
  [[""], "https://api.example.com/", false],
];

for (const [noProxy, url, expected] of cases) {
  test(`${JSON.stringify(noProxy)} ${expected ? "keeps" : "does not keep"} ${url} off the proxy`, () => {
    assert.equal(bypasses(noProxy, url), expected);
  });
}
