import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createLiveChat } from "../../../../../src/chat/host/conversation/liveChat.ts";
import type { Connection } from "../../../../../src/session/connection/connection.ts";
import type { Spend } from "../../../../../src/session/spend/spend.ts";
import { amountIn } from "../../../../../src/shared/money/amounts.ts";
import { Counted } from "../../../../../src/shared/money/budgetRule.ts";
import { answerWith, silent } from "../../answerMessage.ts";
import { loadedChanges, openControls } from "./openControls.ts";

test("the cost of a task is read again when the user comes back, and at no other time without a change", async () => {
  const chat = createLiveChat(silent);
  chat.set({ settings: { mode: "agent" } });
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  chat.add(answerWith("a"), "q");
  let usd = 0.01;
  let reads = 0;
  const returns: (() => void)[] = [];
  const spend: Partial<Spend> = {
    async taskSpend() {
      reads += 1;
      return { spent: amountIn("USD", usd), claimed: Counted.zero };
    },
  };
  const controls = openControls({
    chat,
    changes: loadedChanges({ files: [], onDidChange: () => ({ dispose() {} }) }),
    session: {
      active: { id: "c", kind: "live" } as Partial<Connection> as Connection,
      spend: async () => spend as Spend,
    },
    onDidReturn(listener) {
      returns.push(listener);
      return { dispose: () => void returns.splice(0) };
    },
  });
  const shown = () => chat.state.task?.spent;
  controls.update();
  await nextTurn();
  assert.deepEqual([reads, shown()], [1, { USD: "0.01" }]);
  usd = 0.02;
  controls.update();
  await nextTurn();
  assert.deepEqual([reads, shown()], [1, { USD: "0.01" }]);
  for (const listener of returns) listener();
  await nextTurn();
  assert.deepEqual([reads, shown()], [2, { USD: "0.02" }]);
  controls.dispose();
  assert.equal(returns.length, 0);
});
