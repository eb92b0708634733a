import assert from "node:assert/strict";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import { callOf, readToEnd } from "./callOf.ts";
import { oddRows, valueAt, withOddRows, withUnknownMembers, withValueAt } from "./replies.ts";
import { type CallCase, failureOf, type RowSuite, sampleOf } from "./suite.ts";
import type { SandboxTarget } from "./target.ts";

type ReplyCase = CallCase<SandboxTarget>;

/** How the client reads replies that differ from this service's. */
export function replyCases(id: string, { decode }: Endpoint, suite: RowSuite): ReplyCase[] {
  const { reply } = suite;
  if (!reply) return [];
  const callWithEdit = async (
    { target, api }: Parameters<ReplyCase["run"]>[0],
    edit: (value: unknown) => unknown,
  ): Promise<unknown> => {
    target.sandbox.setFaults([]);
    const sample = await sampleOf(suite, target);
    target.sandbox.setFaults([
      { kind: "edit", edit },
      { kind: "edit-events", edit },
    ]);
    return readToEnd(await callOf(api, id)(sample));
  };
  const cases: ReplyCase[] = [
    {
      name: "a reply with unknown members is read",
      run: async (world) => void (await callWithEdit(world, withUnknownMembers)),
    },
    {
      name: "a reply with nulls for optional members is read",
      run: async (world) => {
        for (const named of reply.nullable) {
          const path = named.replace("service_parameters", world.target.dialect.parametersMember);
          const { edit, used } = countingEdit((value) => withValueAt(value, path, null), path);
          await callWithEdit(world, edit);
          assert.ok(used(), `no reply holds ${path}`);
        }
      },
    },
    {
      name: "a reply without a required member is refused, by its path",
      run: async (world) => {
        for (const path of reply.required) {
          const { edit, used } = countingEdit((value) => withValueAt(value, path, null), path);
          const { kind, details } = await failureOf(callWithEdit(world, edit));
          assert.equal(kind, "malformed-response", path);
          assert.deepEqual(details.issues?.[0]?.field, path);
          assert.match(details.requestId ?? "", /^[0-9a-f]{32}$/);
          assert.ok(used(), `no reply holds ${path}`);
        }
      },
    },
  ];
  if (decode === "events") return cases;
  return [
    ...cases,
    {
      name: "invalid rows in a list leave the others unchanged",
      run: async (world) => {
        for (const path of reply.tolerant) {
          const plain = valueAt(await callWithEdit(world, (value) => value), path) as unknown[];
          const { edit, used } = countingEdit((value) => withOddRows(value, path), path);
          const edited = valueAt(await callWithEdit(world, edit), path) as unknown[];
          assert.ok(used() && plain.length > 0, `no reply holds ${path}`);
          // Some rows have no required members: an empty object is valid.
          const stored = edited.filter(
            (row) => !oddRows.some((one) => JSON.stringify(one) === JSON.stringify(row)),
          );
          assert.equal(stored.length, plain.length, path);
          assert.ok(edited.length < plain.length + (plain.length + 1) * oddRows.length, path);
        }
      },
    },
  ];
}

/** An edit that reports whether it ever found its path. */
function countingEdit(edit: (value: unknown) => unknown, path: string) {
  let found = false;
  return {
    edit(value: unknown) {
      const edited = edit(value);
      found ||= valueAt(value, path) !== undefined;
      return edited;
    },
    used: () => found,
  };
}
