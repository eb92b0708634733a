// Who reads documents: by the setting, else the user is asked, with both ways and their price.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Session } from "../../../../src/session/session.ts";
import { replace } from "../../vscodeDouble.ts";

const { chooseParser } = await import("../../../../src/web/parse/chooseParser.ts");

interface Item {
  readonly label: string;
  readonly description: string;
  readonly parser: string;
}
interface Asked {
  readonly items: readonly Item[];
  readonly placeHolder: string;
  readonly title: string;
}

function opened(t: TestContext, setting: string, chosen?: number): Asked[] {
  const asked: Asked[] = [];
  const get = (name: string) => (name.endsWith("parser") ? setting : undefined);
  replace("workspace", { getConfiguration: () => ({ get, inspect: () => undefined }) }, t);
  const showQuickPick = async (items: readonly Item[], options: Omit<Asked, "items">) => {
    asked.push({ items, ...options });
    return chosen === undefined ? undefined : items[chosen];
  };
  replace("window", { showQuickPick }, t);
  return asked;
}

type Active = Pick<Session, "active">;
const connected = (name: string, kind: string) => ({ active: { name, kind } }) as unknown as Active;
const work = { title: "Read 3 documents", count: 3 };

test("the setting decides without a question", async (t) => {
  for (const parser of ["machine", "service"]) {
    const asked = opened(t, parser);
    assert.equal(await chooseParser(connected("Acme", "live"), work), parser);
    assert.deepEqual(asked, []);
  }
});

test("without a setting both ways are offered, the free one first, with the price of all documents", async (t) => {
  const asked = opened(t, "ask", 1);
  assert.equal(await chooseParser(connected("Acme", "live"), work), "service");
  assert.deepEqual(
    asked[0]?.items.map(({ label, description, parser }) => [label, description, parser]),
    [
      ["$(device-desktop) On This Machine", "free", "machine"],
      ["$(cloud-upload) By Acme", "$0.03", "service"],
    ],
  );
  assert.equal(asked[0]?.title, "Read 3 documents");
});

test("the price is play money in the sandbox; without a service there is one of that name", async (t) => {
  const asked = opened(t, "ask", 0);
  assert.equal(await chooseParser(connected("Sandbox", "sandbox"), work), "machine");
  assert.match(asked[0]?.items[1]?.description ?? "", /0\.03.*play money/);
  await chooseParser({ active: undefined } as unknown as Active, work);
  assert.match(asked[1]?.items[1]?.label ?? "", /By the Service/);
});

test("a run over a folder asks in any case, with the way of the setting first and what is left out", async (t) => {
  const asked = opened(t, "service");
  const detail = "Left out: 6 TXT files.";
  const chosen = await chooseParser(connected("Acme", "live"), { ...work, alwaysAsks: true, detail });
  assert.equal(chosen, undefined);
  assert.equal(asked[0]?.items[0]?.parser, "service");
  assert.equal(asked[0]?.placeHolder, detail);
});
