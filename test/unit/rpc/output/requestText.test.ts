import assert from "node:assert/strict";
import { test } from "node:test";
import { requestText } from "../../../../src/rpc/output/requestText.ts";

const method = "eth_call";

test("a request is one line without its name, with shortened signatures", () => {
  assert.equal(
    requestText({ source: "x = call 0xaa balanceOf(address who) view returns (uint256)\n  0xbb", method }),
    "call 0xaa balanceOf(…) 0xbb",
  );
  assert.equal(
    requestText({ source: '{"method": "eth_call", "params": [ "0xaa", "latest" ] }', method }),
    "eth_call 0xaa, latest",
  );
  assert.equal(requestText({ source: " ", method }), method);
});

test("a text of millions of characters is read once, not once per character", () => {
  const size = 3_000_000;
  const word = "x".repeat(size);
  assert.equal(requestText({ source: word, method }), word);
  const closed = `${"]".repeat(size)}x`;
  assert.equal(requestText({ source: `{"params": [${closed}]}`, method }), `${method} ${closed}`);
});
