import assert from "node:assert/strict";
import { test } from "node:test";
import { hostedAgents } from "../../../src/agents/hostedAgents.ts";
import { agentPrograms } from "../../../src/gateway/programs/agentPrograms.ts";

const address = { origin: "http://127.0.0.1:7", model: "m", token: "gw-secret" };

for (const agent of hostedAgents)
  test(`${agent.name} is a program that the gateway knows, and has its token from its environment alone`, () => {
    const program = agentPrograms.find(({ name }) => name === agent.name);
    assert.notEqual(program?.commands.length ?? 0, 0);
    const variables = Object.values(agent.variables(address, "/own"));
    assert.equal(variables.filter((value) => value.includes(address.token)).length, 1);
    const others = [...agent.args, agent.file?.(address).text ?? ""].join("\n");
    assert.ok(!others.includes(address.token));
    const all = [...variables, others].join("\n");
    assert.ok(all.includes(`${address.origin}/v1`));
  });

test("OpenCode asks before it runs a command", () => {
  const { OPENCODE_PERMISSION = "" } = hostedAgents[0]?.variables(address, "/own") ?? {};
  assert.match(OPENCODE_PERMISSION, /"bash":"ask"/);
});
