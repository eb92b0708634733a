import assert from "node:assert/strict";
import type { RowSuite } from "../suite/suite.ts";
import { batchOf, callCases, network, number } from "./rpcCall.ts";

/** POST /crypto/rpc/{network} (spec E3). */
export const call: RowSuite = {
  sample: { network, body: number },
  rules: (dialect) => ({
    network: {
      good: [network, "base-sepolia", "starknet-mainnet"],
      bad: ["Ethereum", "a b"],
      unfit: ["dogecoin-mainnet"],
      status: 404,
    },
    body: {
      good: [
        number,
        { jsonrpc: "2.0", method: "eth_chainId" },
        ...(dialect === "venice" ? [] : [{ ...number, id: null }]),
        { ...number, id: "x", params: [] },
        [number],
        batchOf(100),
      ],
      bad: [
        ...[
          batchOf(101),
          [],
          { ...number, jsonrpc: "1.0" },
          { ...number, method: "" },
          { ...number, id: {} },
        ],
        // The items of a batch are matched by their ids.
        ...[
          [number, number],
          [number, { jsonrpc: "2.0", method: "eth_chainId" }],
        ],
        // Strings and whole numbers only (wire.md section 11).
        ...(dialect === "venice"
          ? [{ ...number, id: null }, { ...number, id: 1.5 }, [{ ...number, id: null }]]
          : []),
        ...[{ jsonrpc: "2.0" }, { ...number, params: "x" }, { ...number, mood: 1 }, "eth_chainId", 7],
      ],
      anyName: true,
    },
    idempotencyKey: {
      good: ["a", "A-Z_09", "k".repeat(255)],
      bad: ["", "with space", "k".repeat(256), "käse", "a.b"],
      named: "Idempotency-Key",
      ...(dialect === "venice" ? { unchecked: true } : {}),
    },
  }),
  reply: { nullable: ["jsonrpc", "id", "result"], required: [], tolerant: [] },
  everywhere: [
    {
      name: "answers on the first network of the list",
      async run({ api }) {
        const { networks } = await api.rpc.networks({});
        assert.ok(networks.includes(network));
      },
    },
  ],
  sandboxed: callCases,
};

/** GET /crypto/rpc/networks (wire.md section 1). */
export const networks: RowSuite = {
  sample: {},
  rules: {},
  reply: { nullable: [], required: ["networks", "networks.0"], tolerant: [] },
  everywhere: [
    {
      name: "lists slugs",
      async run({ api }) {
        const { networks: slugs } = await api.rpc.networks({});
        assert.ok(slugs.length > 0 && slugs.every((slug) => /^[a-z0-9-]+$/.test(slug)));
      },
    },
  ],
  sandboxed: [
    {
      name: "lists the dialect's networks: eleven families, on venice two more",
      async run({ api, target }) {
        const { networks: slugs } = await api.rpc.networks({});
        assert.equal(slugs.length, target.dialect.id === "venice" ? 27 : 23);
        assert.equal(new Set(slugs).size, slugs.length);
        const families = new Set(slugs.map((slug) => slug.split("-")[0]));
        assert.equal(families.size, target.dialect.id === "venice" ? 13 : 11);
        for (const family of families) assert.ok(slugs.includes(`${family}-mainnet`), family);
      },
    },
  ],
};
