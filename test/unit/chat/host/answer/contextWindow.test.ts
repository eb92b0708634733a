import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { fitContext, type Load, promptRoom } from "../../../../../src/chat/host/answer/contextWindow.ts";

const load: fc.Arbitrary<Load> = fc.record({
  isQuestion: fc.boolean(),
  tokens: fc.nat(5000),
  bytes: fc.nat(20_000),
});
/** A typical path, which begins with a question. */
const path = fc
  .array(load, { maxLength: 40 })
  .map((loads) => [{ isQuestion: true, tokens: 1, bytes: 1 }, ...loads]);
const room = fc.record({
  tokens: fc.option(fc.nat(60_000), { nil: undefined }),
  bytes: fc.nat(200_000),
});

const sum = (loads: readonly Load[], of: "tokens" | "bytes") => loads.reduce((all, one) => all + one[of], 0);

test("the sent messages are the end of the path, begin with a question, and fit; otherwise only the last turn is sent", () => {
  fc.assert(
    fc.property(path, room, (loads, space) => {
      const { dropped, tokens, bytes, over } = fitContext(loads, space);
      const sent = loads.slice(dropped);
      assert.ok(sent.length > 0);
      assert.ok(sent[0]?.isQuestion);
      assert.deepEqual([tokens, bytes], [sum(sent, "tokens"), sum(sent, "bytes")]);
      const fits = tokens <= (space.tokens ?? Number.POSITIVE_INFINITY) && bytes <= space.bytes;
      assert.equal(over === null, fits);
      if (!fits) assert.equal(sent.filter(({ isQuestion }) => isQuestion).length, 1);
    }),
  );
});

test("no turn is omitted that would fit", () => {
  fc.assert(
    fc.property(path, room, (loads, space) => {
      const { dropped } = fitContext(loads, space);
      const before = loads.slice(0, dropped).findLastIndex(({ isQuestion }) => isQuestion);
      if (before < 0) return;
      const more = loads.slice(before);
      const maxTokens = space.tokens ?? Number.POSITIVE_INFINITY;
      assert.ok(sum(more, "tokens") > maxTokens || sum(more, "bytes") > space.bytes);
    }),
  );
});

test("a larger context never omits more", () => {
  fc.assert(
    fc.property(path, room, fc.nat(10_000), (loads, space, more) => {
      const wider = { tokens: space.tokens && space.tokens + more, bytes: space.bytes + more };
      assert.ok(fitContext(loads, wider).dropped <= fitContext(loads, space).dropped);
    }),
  );
});

test("reserves room for the answer: a quarter of a small context", () => {
  assert.equal(promptRoom(131_072), 131_072 - 4096);
  assert.equal(promptRoom(8192), 6144);
  assert.equal(promptRoom(undefined), undefined);
});
