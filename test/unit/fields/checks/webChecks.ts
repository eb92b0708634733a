import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { uploadFromBytes } from "../../../../src/api/call/body/upload.ts";
import type { Api } from "../../../../src/api/call/client.ts";
import { dialects } from "../../../../src/api/dialect/dialect.ts";
import type { Table } from "../../../../src/api/table.ts";
import { optionalMember } from "../../../../src/shared/members.ts";
import type { BatchDeps } from "../../../../src/web/bulk/batch.ts";
import { withParsed } from "../../../../src/web/parse/tempFiles.ts";
import { ResultStore } from "../../../../src/web/results/resultStore.ts";
import type { StoredResult } from "../../../../src/web/results/storedResult.ts";
import { asText } from "../../../../src/web/writing.ts";
import { connection } from "../../account/host/accountRows.ts";
import { openConsents } from "../../session/openConsents.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { answerDialogs } from "../answering.ts";
import type { Check } from "../check.ts";

const never = new AbortController().signal;

/** The view's dependencies, over this client. */
export function webDeps(api: Api<Table>): BatchDeps {
  const client = { api, connection, dialect: dialects.standard, root: "https://service.example/api/v1" };
  const deps = {
    session: { active: connection, client: async () => client },
    consents: openConsents(),
    store: new ResultStore({ folder: temporaryFolder(), now: () => Date.UTC(2031, 2, 14, 12) }),
  };
  return deps as unknown as BatchDeps;
}

/** The document of a stored result, and those of its hits. */
async function storedText({ store }: BatchDeps, result: StoredResult | undefined): Promise<string> {
  assert.ok(result, "nothing was stored");
  const text = await store.text(result.id);
  const hits = result.kind === "search" ? result.hits : [];
  return [undefined, ...hits].map((hit) => asText(result, hit, text)?.text ?? "").join("\n");
}

async function searchText(api: Api<Table>, t: TestContext): Promise<string> {
  answerDialogs(t, () => "");
  const { searchTheWeb } = await import("../../../../src/web/search/webSearch.ts");
  const deps = webDeps(api);
  return storedText(deps, await searchTheWeb(deps, "foxes"));
}

async function pageText(api: Api<Table>): Promise<string> {
  const { pageBatch } = await import("../../../../src/web/scrape/pageBatch.ts");
  const deps = webDeps(api);
  const { items, call } = await pageBatch(deps, ["https://asked.example/"]);
  const client = () => deps.session.client({ kind: "web" });
  return storedText(deps, await call(items[0] ?? "", client, never));
}

function documentText(format: "json" | "text") {
  return async (api: Api<Table>): Promise<string> => {
    const deps = webDeps(api);
    const client = await deps.session.client({ kind: "web" });
    const file = uploadFromBytes("a.txt", "text/plain", Buffer.from("words"));
    const document = { kind: "document", name: "a.txt", uri: "file:///a.txt" } as const;
    const result = await withParsed(
      { folder: temporaryFolder(), client, format, signal: never },
      file,
      ({ path, tokens }) => deps.store.add({ ...document, ...optionalMember("tokens", tokens) }, { path }),
    );
    return storedText(deps, result);
  };
}

const address = ["https://one.example/", "https://two.example/"] as const;

export const webChecks: readonly Check[] = [
  { row: "augment.search", view: "Web results", values: { "results.url": address }, text: searchText },
  { row: "augment.scrape", view: "Web results", values: { url: address }, text: pageText },
  { row: "augment.parse", view: "Web results", text: documentText("json") },
  { row: "augment.parseText", view: "Web results", text: documentText("text") },
];
