import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isPrivateHost, isThisMachine } from "../../../../src/shared/web/privateHost.ts";
import { urlProblemAt } from "../../../../src/shared/web/urlProblem.ts";

const byte = fc.integer({ min: 0, max: 255 });
const hostOf = (url: string) => new URL(url).hostname.replace(/^\[|\]$/g, "");

test("loopback addresses and names are local and not public", () => {
  fc.assert(
    fc.property(byte, byte, byte, (b, c, d) => {
      const host = hostOf(`http://127.${b}.${c}.${d}/`);
      assert.ok(isThisMachine(host) && isPrivateHost(host), host);
    }),
  );
  for (const host of ["localhost", "a.localhost", "::1"]) assert.ok(isThisMachine(host), host);
});

test("names and addresses that only begin like a local one are not local", () => {
  const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}[a-z0-9]$/);
  fc.assert(
    fc.property(fc.constantFrom("127", "127.0.0.1", "localhost", "127-0-0-1"), label, (start, name) => {
      const host = hostOf(`http://${start}.${name}.example/`);
      assert.equal(isThisMachine(host), false, host);
    }),
  );
  for (const host of ["127.evil.com", "127.0.0.1.evil.com", "notlocalhost", "::1:1", "128.0.0.1"])
    assert.equal(isThisMachine(host), false, host);
});

test("a service under such a name can't reach local pages", () => {
  const page = "http://127.0.0.1:8080/";
  assert.equal(urlProblemAt("http://127.0.0.1:9/api/v1", page), undefined);
  assert.equal(urlProblemAt("https://127.evil.com/api/v1", page)?.kind, "private");
});
