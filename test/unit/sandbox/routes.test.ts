import assert from "node:assert/strict";
import { test } from "node:test";
import { table } from "../../../src/api/table.ts";
import { handlers } from "../../../src/sandbox/handlers.ts";
import { matchRoute, routesOf } from "../../../src/sandbox/http/routes.ts";
import { Refusal } from "../../../src/sandbox/refusal.ts";

const routes = routesOf(table);

test("each route of the table has a handler, and each handler a route", () => {
  assert.deepEqual(Object.keys(handlers).sort(), routes.map(({ id }) => id).sort());
});

test("rows that differ only in how they are answered share a route that streams", () => {
  const chat = routes.filter(({ row }) => row.path === "/chat/completions");
  assert.equal(chat.length, 1);
  assert.equal(chat[0]?.streams, true);
});

test("path members are decoded, and bad ones refused", () => {
  const row = { ...table.models.list, path: "/things/{id}" } as const;
  const { params } = matchRoute(routesOf({ things: { read: row } }), "GET", "/things/a%2Fb");
  assert.deepEqual(params, { id: "a/b" });
  const bad = () => matchRoute(routesOf({ things: { read: row } }), "GET", "/things/%E0%A4%A");
  assert.throws(bad, (error) => error instanceof Refusal && error.status === 400);
});
