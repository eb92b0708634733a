// The ADMIN key of an account is used for the service that it was added for.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Connection } from "../../../../src/session/connection/connection.ts";
import type { Connections } from "../../../../src/session/connection/connections.ts";
import type { Session } from "../../../../src/session/session.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";

const { accountOf } = await import("../../../../src/account/host/accountOf.ts");

const own: Connection = {
  id: "c-1",
  name: "One",
  kind: "live",
  baseUrl: "https://one.example",
  dialect: "standard",
};
const admin: Connection = { ...own, id: "c-2", name: "One (admin)", baseUrl: "https://one.example/api/v1" };

/** The connection that reads the keys of the account. */
async function readBy(named: Connection | undefined): Promise<string> {
  const asked: string[] = [];
  const session = {
    clientOf: async ({ id }: Connection) => {
      asked.push(id);
      throw new Error("not answered");
    },
    spend: async () => assert.fail(),
  };
  const { data } = accountOf(own, {
    identity: "a",
    session: session as unknown as Session,
    connections: { byId: (id: string) => (id === "c-2" ? named : undefined) } as unknown as Connections,
    globalState: {
      get: (key: string, other: unknown) => (key === "account.admins" ? { "c-1": "c-2" } : other),
    } as never,
    storagePath: temporaryFolder(),
    onChange() {},
    report() {},
  });
  await data.keys.load(0).catch(() => {});
  return asked.join();
}

test("a key that was added for another address reads nothing of this account", async () => {
  assert.equal(await readBy(admin), "c-2");
  assert.equal(await readBy({ ...admin, baseUrl: "https://two.example/api/v1" }), "c-1");
  assert.equal(await readBy(undefined), "c-1");
});
