import assert from "node:assert/strict";
import { after, test } from "node:test";
import { table } from "../../../../src/api/table.ts";
import { matchRoute, routesOf } from "../../../../src/sandbox/http/routes.ts";
import { createMedia } from "../../../../src/sandbox/media.ts";
import { Refusal } from "../../../../src/sandbox/refusal.ts";
import { openRpc } from "../../../../src/sandbox/rpc/openRpc.ts";
import { createServices } from "../../../../src/sandbox/services.ts";
import { createState } from "../../../../src/sandbox/state/createState.ts";

const routes = routesOf(table);
const state = createState({}, [], {
  secrets: { apiKey: "admin", inferenceKey: "inference" },
  origin: () => "",
  tokensPerSecond: () => 1,
});

const { rpc, close } = await openRpc({ nodes: false }, state);
after(close);
const media = createMedia({ dialect: "standard", library: state.library, ids: state.ids });

test("each route of the table has a service, and each service a route", () => {
  assert.deepEqual(
    Object.keys(createServices({ ...state, rpc, media })).sort(),
    routes.map(({ id }) => id).sort(),
  );
});

test("rows that differ only in their reply share a route that streams", () => {
  const chat = routes.filter(({ row }) => row.path === "/chat/completions");
  assert.equal(chat.length, 1);
  assert.equal(chat[0]?.streams, true);
});

test("path members are decoded, and invalid ones refused", () => {
  const row = { ...table.models.list, path: "/things/{id}" } as const;
  const { params } = matchRoute(routesOf({ things: { read: row } }), "GET", "/things/a%2Fb");
  assert.deepEqual(params, { id: "a/b" });
  const bad = () => matchRoute(routesOf({ things: { read: row } }), "GET", "/things/%E0%A4%A");
  assert.throws(bad, (error) => error instanceof Refusal && error.status === 400);
});

test("a path without members takes precedence over one with a matching member", () => {
  const read = { ...table.models.list, path: "/things/{id}" } as const;
  const own = { ...table.models.list, path: "/things/special" } as const;
  for (const rows of [
    { read, own },
    { own, read },
  ]) {
    const { route, params } = matchRoute(routesOf({ things: rows }), "GET", "/things/special");
    assert.deepEqual([route.path, params], ["/things/special", {}]);
  }
});

test("a row with two spellings of its path is served under one of them", () => {
  const row = { ...table.models.list, path: "/things", otherPath: "/thing" } as const;
  const rows = { things: { list: row } };
  const isServed = (path: string, other: boolean) => {
    try {
      return matchRoute(routesOf(rows, other), "GET", path).route.id === "GET /things";
    } catch (error) {
      assert.ok(error instanceof Refusal && error.status === 404);
      return false;
    }
  };
  assert.deepEqual([isServed("/things", false), isServed("/thing", false)], [true, false]);
  assert.deepEqual([isServed("/things", true), isServed("/thing", true)], [false, true]);
});
