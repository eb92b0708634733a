import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { fitContext, keptShare, type Load } from "../../../../../src/chat/host/answer/contextWindow.ts";
import { promptRoom } from "../../../../../src/chat/host/answer/promptRoom.ts";
import { tokensPerMessage } from "../../../../../src/shared/chat/tokenEstimate.ts";

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

test("no turn is omitted of those that fill the kept share of the room", () => {
  fc.assert(
    fc.property(path, room, (loads, space) => {
      const { dropped } = fitContext(loads, space);
      const before = loads.slice(0, dropped).findLastIndex(({ isQuestion }) => isQuestion);
      if (before < 0) return;
      const more = loads.slice(before);
      const maxTokens = space.tokens ?? Number.POSITIVE_INFINITY;
      const isFilled = sum(more, "tokens") + tokensPerMessage > maxTokens * keptShare;
      assert.ok(isFilled || sum(more, "bytes") > space.bytes * keptShare);
    }),
  );
});

test("nothing is omitted of a path that fits", () => {
  fc.assert(
    fc.property(path, (loads) => {
      const space = { tokens: sum(loads, "tokens") + tokensPerMessage, bytes: sum(loads, "bytes") };
      assert.equal(fitContext(loads, space).dropped, 0);
    }),
  );
});

test("a context that is larger by more than the kept share never omits more", () => {
  fc.assert(
    fc.property(path, room, fc.nat(10_000), (loads, space, more) => {
      const widened = (size: number) => Math.ceil((size + tokensPerMessage) / keptShare) + more;
      const wider = { tokens: space.tokens && widened(space.tokens), bytes: widened(space.bytes) };
      assert.ok(fitContext(loads, wider).dropped <= fitContext(loads, space).dropped);
    }),
  );
});

test("the requests of a full conversation begin alike: turns are dropped only after the room has filled up again", () => {
  const emptyAnswer = { isQuestion: false, tokens: tokensPerMessage, bytes: 0 };
  const turn = fc
    .tuple(
      fc.integer({ min: 1, max: 200 }),
      fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 3 }),
    )
    .map(([question, answers]) => [
      { isQuestion: true, tokens: question, bytes: question },
      ...answers.map((tokens) => ({ isQuestion: false, tokens, bytes: tokens })),
    ]);
  fc.assert(
    fc.property(fc.array(turn, { minLength: 10, maxLength: 60 }), (turns) => {
      const loads = turns.flat();
      const space = { tokens: 3000, bytes: 1e9 };
      let before = { dropped: 0, end: 0 };
      for (const [end, { isQuestion }] of loads.entries()) {
        if (isQuestion) continue;
        const { dropped } = fitContext([...loads.slice(0, end), emptyAnswer], space);
        if (dropped === before.dropped) continue;
        assert.ok(dropped > before.dropped);
        // What came since the last cut has filled what it freed, but for a turn that did not fit into the kept share.
        const added = sum(loads.slice(before.end, end), "tokens");
        assert.ok(before.end === 0 || added >= space.tokens * (1 - keptShare) - tokensPerMessage, `${added}`);
        before = { dropped, end };
      }
    }),
  );
});

test("reserves room for the answer: a quarter of a small context", () => {
  assert.equal(promptRoom(131_072), 131_072 - 4096);
  assert.equal(promptRoom(8192), 6144);
  assert.equal(promptRoom(undefined), undefined);
});
