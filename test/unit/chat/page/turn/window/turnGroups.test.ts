import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type GroupedTurns, groupTurns } from "../../../../../../src/chat/page/turn/window/turnGroups.ts";

test("groups contain all turns in order, and existing groups stay while turns are added", () => {
  const steps = fc.array(fc.record({ earlier: fc.nat(40), later: fc.nat(40) }), { maxLength: 20 });
  fc.assert(
    fc.property(steps, (added) => {
      let [first, last] = [0, 0];
      let groups: readonly GroupedTurns[] = [];
      for (const { earlier, later } of added) {
        first -= earlier;
        last += later;
        const ids = Array.from({ length: last - first }, (_, index) => `t${first + index}`);
        const before = groups;
        groups = groupTurns(before, ids);
        assert.deepEqual(
          groups.flatMap((group) => group.ids),
          ids,
        );
        assert.equal(new Set(groups.map(({ key }) => key)).size, groups.length);
        for (const { ids: some } of groups) assert.ok(some.length > 0 && some.length <= 4);
        for (const inner of before.slice(1, -1)) assert.ok(groups.includes(inner));
        for (const { key } of before) assert.ok(groups.some((group) => group.key === key));
      }
      assert.ok(groups.length <= (last - first) / 2 + 2 + added.length);
    }),
  );
});

test("another conversation, or another branch, is grouped again", () => {
  const one = groupTurns([], ["a", "b", "c"]);
  assert.deepEqual(
    groupTurns(one, ["a", "x"]).map(({ ids }) => ids),
    [["a", "x"]],
  );
  assert.deepEqual(groupTurns(one, []), []);
});
