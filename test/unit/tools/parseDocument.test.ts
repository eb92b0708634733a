// Who reads a document for a tool: this machine for nothing, or the service for its price.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../src/api/errors/errors.ts";
import { createBilledTools } from "../../../src/chat/host/tools/service/billedTools.ts";
import type { Client } from "../../../src/session/session.ts";
import type { WorkspaceFiles } from "../../../src/tools/files/workspaceFiles.ts";
import { createParseDocumentAction, type DocumentsHere } from "../../../src/tools/parseDocument.ts";
import { createServiceTools } from "../../../src/tools/serviceTools.ts";
import { noChain } from "./noChain.ts";

const files = { read: async () => Buffer.from("bytes") } as unknown as WorkspaceFiles;
const { signal } = new AbortController();
const input = { path: "docs/report.pdf" };
const client = {
  connection: { name: "Acme" },
  api: { augment: { parse: async () => ({ text: "by the service", tokens: 3 }) } },
} as unknown as Client;

function readingHere(readsHere: boolean, read = async () => "on this machine"): DocumentsHere {
  return { readsHere: () => readsHere, read };
}

/** The tool for the editor's agents and for other programs. */
function parseTool(documents: DocumentsHere) {
  const tools = createServiceTools({
    session: { spend: undefined as never },
    budgets: () => assert.fail(),
    files,
    documents,
    folder: "/nowhere",
    describeWrite: () => assert.fail(),
    chain: noChain,
  });
  const tool = tools.find(({ name }) => name === "inference_parse_document");
  assert.ok(tool);
  return tool;
}

test("on this machine it is free, asks nothing, and sends nothing", async () => {
  const tool = parseTool(readingHere(true));
  const question = await tool.prepare(input, client, signal);
  assert.deepEqual(question, {
    summary: "Read docs/report.pdf on this machine",
    usd: 0,
    asks: "never",
    details: ["Nothing is sent, and nothing is charged."],
    button: "Read",
  });
  const none = { connection: client.connection } as Client;
  assert.deepEqual(await tool.run(input, none, signal), [{ kind: "text", text: "on this machine" }]);
});

test("by the service it has its price and its receiver", async () => {
  const tool = parseTool(readingHere(false));
  const question = await tool.prepare(input, client, signal);
  assert.equal(question.usd, 0.01);
  assert.equal(question.asks, "price");
  assert.deepEqual(question.details, ["Acme receives the file."]);
  assert.deepEqual(await tool.run(input, client, signal), [{ kind: "text", text: "by the service" }]);
});

test("in the chat it obeys the setting, also when that changes; an approval for free reading is none for the service", async () => {
  let isHere = true;
  const documents = { readsHere: () => isHere, read: async () => "on this machine" };
  const tool = createBilledTools(files, async () => client, noChain, documents).find(
    ({ name }) => name === "parse_document",
  );
  assert.ok(tool?.run && tool.scopes);
  const context = { source: { kind: "chat" } } as unknown as Parameters<typeof tool.run>[2];
  assert.equal(tool.summary(input), "Read docs/report.pdf on this machine");
  assert.equal(await tool.run(input, signal, context), "on this machine");
  const free = tool.scopes(input);
  isHere = false;
  assert.equal(tool.summary(input), "Send docs/report.pdf to the service's document parser");
  assert.equal(await tool.run(input, signal, context), "by the service");
  assert.notDeepEqual(tool.scopes(input), free);
  assert.match(tool.description, /read on this machine, or sent to the service/);
});

test("a document that can't be read here is refused in words, and is not sent", async () => {
  const refusing = (message: string) =>
    createParseDocumentAction(
      readingHere(true, async () => {
        throw new ApiError("invalid-request", message, { mayHaveArrived: false });
      }),
    ).run(input, { client: () => assert.fail("nothing is sent"), files }, signal);
  await assert.rejects(
    refusing("The PDF is locked with a password"),
    /docs\/report\.pdf is locked with a password/,
  );
  await assert.rejects(refusing("There is no text in the file"), /There is no text in docs\/report\.pdf/);
  await assert.rejects(refusing("Must be a PDF"), /can't be read on this machine\. Must be a PDF/);
});
