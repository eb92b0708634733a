// The manifest declares the tools as the code does: an agent reads the manifest, and the code checks the input.
import assert from "node:assert/strict";
import { test } from "node:test";
import { contexts, serviceToolNames } from "../../../src/shared/names/ids.ts";
import { createServiceTools, type ServiceToolDeps } from "../../../src/tools/serviceTools.ts";
import { assertSame, contributes } from "./manifest.ts";

// Their declarations use none of it.
const tools = createServiceTools({} as ServiceToolDeps);

test("the manifest's tools match those of the code, member by member", () => {
  const keys = Object.entries(serviceToolNames);
  assertSame(
    tools.map(({ name }) => name),
    Object.values(serviceToolNames),
  );
  const expected = keys.map(([key, name]) => {
    const tool = tools.find((one) => one.name === name) ?? assert.fail(name);
    return {
      name,
      displayName: tool.title,
      modelDescription: tool.description,
      userDescription: tool.userDescription,
      toolReferenceName: `inference${key.charAt(0).toUpperCase()}${key.slice(1)}`,
      canBeReferencedInPrompt: true,
      tags: ["inference-workbench"],
      when: `${contexts.connection} != 'none'`,
      inputSchema: tool.parameters,
    };
  });
  const declared = contributes.languageModelTools.map(({ icon, ...others }) => {
    assert.match(icon, /^\$\([a-z-]+\)$/);
    return others;
  });
  assert.deepEqual(declared, expected);
});

test("an agent learns of each tool what it costs, and of each member what it takes", () => {
  for (const { name, description, parameters } of tools) {
    assert.match(description, /Costs|Free/, name);
    for (const [member, rules] of Object.entries(parameters.properties))
      assert.ok(rules.description, `${name}: ${member}`);
  }
});

// VS Code's chat refuses every request while one tool has such a schema.
test("each list of a schema describes its items", () => {
  for (const { name, parameters } of tools) {
    for (const [member, { type, items }] of Object.entries(parameters.properties))
      assert.ok(type !== "array" || items, `${name}: ${member}`);
  }
});
