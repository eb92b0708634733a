// Which agents can be started, where, and after which question.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentPlaces, type AgentPlacesDeps } from "../../../src/agents/agentPlaces.ts";
import { Refusal } from "../../../src/platform/errors/refusal.ts";
import { openConsents } from "../session/openConsents.ts";

const { signal } = new AbortController();
const isOpenCode = (names: readonly string[]) => names.includes("opencode");

/** A window with OpenCode and without Cline, whose user allows everything. */
function openPlaces(deps: Partial<AgentPlacesDeps> = {}) {
  const asked: string[] = [];
  const places = new AgentPlaces({
    consents: openConsents(),
    async ask({ agent, program, folder }) {
      asked.push(`${agent.name} ${program} ${folder}`);
      return true;
    },
    isTrusted: () => true,
    folder: () => "/w",
    programOf: async (names) => (isOpenCode(names) ? "/bin/opencode" : undefined),
    ...deps,
  });
  return { places, asked };
}

test("an agent is allowed once for its program and a folder, and asked about again when it is revoked", async () => {
  const consents = openConsents();
  let folder = "/w";
  let program = "/bin/opencode";
  const { places, asked } = openPlaces({ consents, folder: () => folder, programOf: async () => program });
  const find = () => places.find("OpenCode", signal);
  const [{ agent, ...place }] = await Promise.all([find(), find()]);
  assert.deepEqual([agent.name, place], ["OpenCode", { program, folder }]);
  assert.deepEqual(asked.splice(0), ["OpenCode /bin/opencode /w"]);
  folder = "/other";
  await find();
  program = "/opt/opencode";
  await find();
  await places.find("Cline", signal);
  assert.deepEqual(asked.splice(0), [
    "OpenCode /bin/opencode /other",
    "OpenCode /opt/opencode /other",
    "Cline /opt/opencode /other",
  ]);
  const all = consents.all();
  assert.ok(all.every(({ kind }) => kind === "agent"));
  assert.equal(all.at(-1)?.says, "Cline in /other");
  await consents.revoke(all);
  await find();
  assert.equal(asked.length, 1);
});

test("one that the user does not allow is not started, and asked about with the next question", async () => {
  for (const answer of [false, undefined]) {
    let asked = 0;
    const consents = openConsents();
    const ask = async () => {
      asked++;
      return answer;
    };
    const { places } = openPlaces({ consents, ask });
    const refused = /^OpenCode was not allowed to start in this folder\. .* Nothing was sent\.$/;
    for (const _ of [1, 2])
      await assert.rejects(places.find("OpenCode", signal), { constructor: Refusal, message: refused });
    assert.equal(asked, 2);
    assert.deepEqual(consents.all(), []);
  }
});

test("a question that has become obsolete allows nothing", async () => {
  const stop = new AbortController();
  const consents = openConsents();
  const ask = async () => {
    stop.abort(new Error("stopped"));
    return true;
  };
  const { places, asked } = openPlaces({ consents, ask });
  await assert.rejects(places.find("OpenCode", stop.signal), { message: "stopped" });
  await assert.rejects(places.find("OpenCode", stop.signal), { message: "stopped" });
  assert.deepEqual([consents.all(), asked], [[], []]);
});

const refusals: readonly (readonly [string, Partial<AgentPlacesDeps>, RegExp])[] = [
  [
    "that is not installed",
    { programOf: async () => undefined },
    /“opencode” is neither on PATH nor where npm.* Install it with “npm install --global opencode-ai”.* add its folder to PATH/,
  ],
  ["without a folder", { folder: () => undefined }, /needs a folder/],
  ["in a workspace that is not trusted", { isTrusted: () => false }, /only in a workspace that you trust/],
];
for (const [name, deps, sentence] of refusals)
  test(`one ${name} is refused without a question, also if it was allowed before, and not offered`, async () => {
    const consents = openConsents();
    await openPlaces({ consents }).places.find("OpenCode", signal);
    const { places, asked } = openPlaces({ consents, ...deps });
    await assert.rejects(places.find("OpenCode", signal), { constructor: Refusal, message: sentence });
    const [offer] = await places.offers();
    assert.match(offer?.problem ?? "", sentence);
    assert.deepEqual(asked, []);
  });

test("those on PATH are offered, and the others named with how to install them", async () => {
  const { places, asked } = openPlaces();
  const [first, second] = await places.offers();
  assert.deepEqual([first, second?.name], [{ name: "OpenCode" }, "Cline"]);
  assert.match(second?.problem ?? "", /^Cline was not found: .*“npm install --global cline”/);
  assert.deepEqual(asked, []);
});

test("an agent that this version does not know is refused", async () => {
  await assert.rejects(openPlaces().places.find("Nobody", signal), Refusal);
});
