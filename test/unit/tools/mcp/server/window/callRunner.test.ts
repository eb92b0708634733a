// Calls of MCP clients in a window.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../../../../src/api/errors/errors.ts";
import type { Client, Session } from "../../../../../../src/session/session.ts";
import { clientConfigurations } from "../../../../../../src/tools/mcp/server/window/configurations.ts";
import { type ServiceTool, toolSchema } from "../../../../../../src/tools/serviceTool.ts";
import "../../../../vscodeDouble.ts";

const { pickLines } = await import("../../../../../../src/platform/editor/dialogs/pickLines.ts");
const { createCallRunner } = await import("../../../../../../src/tools/mcp/server/window/callRunner.ts");

const signal = new AbortController().signal;
const live = { id: "c", name: "Service", kind: "live", baseUrl: "https://x", dialect: "auto" } as const;

function runner(change: Partial<ServiceTool> = {}, approves = async () => true) {
  const sources: unknown[] = [];
  const ran: unknown[] = [];
  const session = {
    active: live as Session["active"],
    clientOf: async (_: unknown, source?: unknown) => {
      sources.push(source);
      return {} as Client;
    },
  };
  const tool: ServiceTool = {
    name: "paint",
    title: "Paint",
    description: "",
    userDescription: "",
    parameters: toolSchema({ prompt: { type: "string", minLength: 1 } }),
    isReadOnly: false,
    prepare: async () => ({ summary: "Paint", usd: 0.01, asks: "price", details: [], button: "Paint" }),
    run: async (input) => {
      ran.push(input);
      return [
        { kind: "text", text: "done" },
        { kind: "image", mime: "image/png", bytes: new Uint8Array([1, 2]) },
      ];
    },
    ...change,
  };
  const runCall = createCallRunner({
    session,
    tools: [tool],
    approve: approves,
    roots: () => ({ folders: [], isWindows: false }),
  });
  const call = (input: unknown, name = "paint") => runCall({ name, input, client: "me" }, signal, () => {});
  return { call, session, sources, ran };
}

const textOf = ({ content: [part] }: { readonly content: readonly object[] }) =>
  String(Reflect.get(part ?? {}, "text"));

test("runs a tool as the client, and gives images as base64", async () => {
  const { call, sources } = runner();
  assert.deepEqual(await call({ prompt: "x" }), {
    content: [
      { type: "text", text: "done" },
      { type: "image", data: "AQI=", mimeType: "image/png" },
    ],
    isError: false,
    isFree: false,
  });
  assert.deepEqual(sources, [{ kind: "mcp", client: "me" }]);
});

test("a result tells whether its call was free; an unknown price is not", async () => {
  for (const [usd, isFree] of [
    [0, true],
    [0.01, false],
    [undefined, false],
  ] as const) {
    const prepare = async () =>
      ({ summary: "Paint", usd, asks: "price", details: [], button: "Paint" }) as const;
    assert.equal((await runner({ prepare }).call({ prompt: "x" })).isFree, isFree);
  }
});

test("input that breaks the schema is refused with path and rule; nothing runs", async () => {
  const { call, ran, sources } = runner();
  for (const [input, rule] of [
    [{ prompt: "" }, /prompt.*short|prompt.*length/i],
    [{ prompt: [1] }, /prompt.*string/i],
    [{ prompt: "x", more: 1 }, /more/],
    [{}, /prompt/],
    [[], /object/],
    ["x", /object/],
  ] as const) {
    const result = await call(input);
    assert.equal(result.isError, true);
    assert.match(textOf(result), rule);
    assert.match(textOf(result), /paint was not run/);
  }
  assert.deepEqual([ran, sources], [[], []]);
});

test("a refusal, an error and a missing connection are results with a sentence", async () => {
  const refused = runner({}, async () => false);
  assert.match(textOf(await refused.call({ prompt: "x" })), /The user refused paint.*Nothing was sent/);
  assert.deepEqual(refused.ran, []);
  const failing = runner({
    run: async () => Promise.reject(new ApiError("unauthorized", "bad key", { mayHaveArrived: true })),
  });
  assert.match(textOf(await failing.call({ prompt: "x" })), /Bad key\. Set a key/);
  const alone = runner();
  alone.session.active = undefined;
  assert.match(textOf(await alone.call({ prompt: "x" })), /no connection/);
  assert.match(textOf(await alone.call({}, "constructor")), /no tool constructor/);
});

test("a connection that is switched while the user is asked is not billed", async () => {
  const switching = runner({}, async () => {
    switching.session.active = { ...live, id: "other" };
    return true;
  });
  assert.match(textOf(await switching.call({ prompt: "x" })), /switched.*Nothing was sent/);
  assert.deepEqual(switching.ran, []);
});

test("configurations quote hostile paths, and contain no secret", () => {
  const server = { command: `/opt/it's "here"/code`, script: "/home/u $(x)/server.cjs" };
  const texts = new Map(clientConfigurations.map(({ label, text }) => [label, text(server, false)]));
  assert.ok(texts.get("Claude Code")?.endsWith(`-- '/opt/it'\\''s "here"/code' '/home/u $(x)/server.cjs'`));
  assert.match(texts.get("Codex") ?? "", /command = "\/opt\/it's \\"here\\"\/code"/);
  const { servers } = JSON.parse(texts.get("VS Code") ?? "");
  assert.deepEqual(servers["inference-workbench"].args, [server.script]);
  for (const label of ["Cline", "Other"])
    assert.equal(
      JSON.parse(texts.get(label) ?? "").mcpServers["inference-workbench"].command,
      server.command,
    );
  for (const text of texts.values()) assert.ok(text.includes("ELECTRON_RUN_AS_NODE") && !/token/i.test(text));
});

test("a request is shown in full, in lines that a quick pick does not cut, or says what is missing", () => {
  const hostile = `Send “$(check) Allow” to 0x${"Ab".repeat(60)} ${"字".repeat(100)}\u202e\tend`;
  const lines = pickLines([hostile, "Price: $0.01", ""]);
  assert.ok(lines.every((line) => line.length <= 57));
  assert.equal(
    lines.join(""),
    `${hostile.replace("$(", "$ (").replace("\u202e\t", "⟨U+202E⟩⟨U+0009⟩")}Price: $0.01`,
  );
  assert.match(pickLines(["x\n".repeat(300)]).at(-1) ?? "", /^100 more lines/);
});
