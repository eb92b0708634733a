// The client's cost of a call equals the service's bill, for every paid row.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import type { ClientEvent } from "../../src/api/call/client.ts";
import { dialects } from "../../src/api/dialect/dialect.ts";
import type { Model } from "../../src/api/endpoints/models.ts";
import { usagePages } from "../../src/api/usagePages.ts";
import { rowSuites } from "./rows/rows.ts";
import { callOf, readToEnd } from "./suite/callOf.ts";
import { type ChargeLedger, createChargeLedger } from "./suite/chargeLedger.ts";
import { nano } from "./suite/moneyKit.ts";
import { rows } from "./suite/rowsOfTable.ts";
import { apiOfRow } from "./suite/signInKit.ts";
import { apiOf, sampleOf, type TableApi, transports } from "./suite/suite.ts";
import { type SandboxTarget, sandboxTargets } from "./suite/target.ts";

/** In addition to the sample: the model, which determines the price, and the parameters that change it. */
const priced: Readonly<Record<string, readonly object[]>> = {
  "chat.complete": [{ model: "guide" }, { model: "thinker", n: 2 }, { model: "scripted" }],
  "chat.stream": [{ model: "guide", stream_options: { include_usage: true } }],
  "images.generate": [{ model: "canvas" }, { model: "canvas-large" }],
  "images.edit": [{ model: "retouch" }, { model: "retouch-layers", resolution: "2K" }],
  "images.multiEdit": [{ modelId: "retouch" }, { modelId: "retouch-layers", quality: "low" }],
  "audio.speech": [{ model: "speaker" }, { model: "narrator", input: "Grüße 👋 from 東京." }],
  "rpc.call": [{}, { network: "zksync-mainnet" }],
};

for (const { name, dialect, open } of sandboxTargets) {
  describe(`charges, ${name}`, () => {
    let target: SandboxTarget;
    let api: TableApi;
    let ledger: ChargeLedger;
    const transport = transports.host();
    before(async () => {
      target = await open();
      api = apiOf(target, transport);
      const { data } = await api.models.list({ type: "all" });
      const models = new Map(data.map((model): [string, Model] => [model.id, model]));
      const { usdPerCredit } = dialects[dialect];
      ledger = createChargeLedger({ model: (id) => models.get(id), usdPerCredit }, target.now);
    });
    beforeEach(() => target.settle());
    after(async () => {
      await target.close();
      await transport.close();
    });

    for (const [id, row] of rows) {
      const suite = rowSuites[id] ?? assert.fail(id);
      if (suite.only && suite.only !== dialect) continue;

      for (const more of priced[id] ?? [{}]) {
        test(`${id} ${JSON.stringify(more)}: the client's ledger and the service's bill agree`, async () => {
          const input = { ...(await sampleOf(suite, target)), ...more };
          await target.settle();
          const start = new Date(target.now()).toISOString();
          const known = ledger.entries.length;
          const observe = (event: ClientEvent) => ledger.record(event);
          await readToEnd(await callOf(apiOfRow(target, transport, row), id)(input, { observe }));
          await target.settle();
          let billed = 0;
          for await (const { records } of usagePages(api, {
            start,
            end: new Date(target.now()).toISOString(),
          })) {
            billed -= records.reduce((sum, { amount }) => sum + nano(amount), 0);
          }
          const entries = ledger.entries.slice(known);
          assert.equal(entries.length, row.price.by === "nothing" ? 0 : 1);
          assert.equal(billed > 0, row.price.by !== "nothing");
          for (const { amount, basis, endpoint, requestId } of entries) {
            assert.equal(endpoint, id);
            assert.match(requestId ?? "", /^[0-9a-f]{32}$/);
            assert.notEqual(basis, "unknown");
            const [low, high] = amount.usd?.map(nano) ?? assert.fail("no amount");
            // The proxy reports eight of its nine decimals.
            assert.ok(
              low !== undefined && high !== undefined && billed >= low - 5 && billed <= high + 5,
              `${billed} of ${low} to ${high}`,
            );
          }
        });
      }
    }
  });
}
