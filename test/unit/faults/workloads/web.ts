// Results that were paid for, texts of documents beside them, and which documents of a folder were read.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  createTemporaryFiles,
  temporaryListsIn,
} from "../../../../src/platform/files/durable/temporaryFiles.ts";
import type { Client } from "../../../../src/session/session.ts";
import { openParseManifest } from "../../../../src/web/parse/parseManifest.ts";
import { withParsed } from "../../../../src/web/parse/tempFiles.ts";
import { writeParsed } from "../../../../src/web/parse/writeParsed.ts";
import { ResultStore } from "../../../../src/web/results/resultStore.ts";
import type { Folders, Workload } from "../workload.ts";

const text = "The text of a document.\n".repeat(20);
const file = (path: string) => ({ path, changedMs: 1, size: 2 });

function open({ storage }: Folders) {
  return {
    store: new ResultStore({ folder: join(storage, "results"), now: () => 1_000 }),
    manifest: openParseManifest(join(storage, "parsed-folders"), "file:///documents"),
  };
}

/** A service that sends the text of a document in two pieces. */
const client = {
  api: {
    augment: {
      async parseText(_: unknown, { onText }: { readonly onText: (piece: Uint8Array) => Promise<void> }) {
        await onText(Buffer.from(text.slice(0, 100)));
        await onText(Buffer.from(text.slice(100)));
        return "";
      },
    },
  },
} as unknown as Pick<Client, "api">;

export const workload: Workload = {
  writers: ["src/web/results/resultStore.ts", "src/web/parse/tempFiles.ts", "src/web/parse/writeParsed.ts"],
  queued: ["src/web/parse/parseManifest.ts"],
  async run(folders, told) {
    const { store, manifest } = open(folders);
    const temporary = createTemporaryFiles(temporaryListsIn(folders.storage));
    const { signal } = new AbortController();
    const into = {
      folder: join(folders.storage, "results", "arriving"),
      client,
      format: "text",
      signal,
    } as const;
    const upload = { name: "a.pdf" } as never;
    const page = (url: string) => store.add({ kind: "page", url, title: "A page" }, text);
    await told.step("page https://a.example/", () => page("https://a.example/"));
    await told.step("document", () =>
      withParsed(into, upload, (parsed) =>
        store.add({ kind: "document", name: "a.pdf", uri: "" } as never, parsed),
      ),
    );
    await told.step("beside a.pdf.md", () =>
      withParsed(into, upload, (parsed) =>
        writeParsed({ ...parsed, tokens: 7 }, join(folders.user, "a.pdf.md"), "a.pdf", temporary),
      ),
    );
    await told.step("beside a.pdf.txt", () =>
      withParsed(into, upload, (parsed) =>
        writeParsed(parsed, join(folders.user, "a.pdf.txt"), "a.pdf", temporary),
      ),
    );
    const read = await manifest;
    await read.add(file("a.pdf"));
    await told.space();
    await told.step("page https://last.example/", () => page("https://last.example/"));
    await read.add(file("last.pdf"));
    told.kept("a.pdf was read");
    told.kept("last.pdf was read");
    temporary.dispose();
  },
  async check(folders, told) {
    const { store, manifest } = open(folders);
    const results = await store.list();
    for (const result of results)
      if (result.kind !== "search") assert.equal(await store.text(result.id), text, result.kind);
    for (const what of told.kept.filter((one) => one.startsWith("page ")))
      assert.ok(
        results.some((result) => result.kind === "page" && `page ${result.url}` === what),
        what,
      );
    if (told.kept.includes("document")) assert.ok(results.some(({ kind }) => kind === "document"));
    for (const name of ["a.pdf.md", "a.pdf.txt"]) {
      const path = join(folders.user, name);
      if (existsSync(path)) assert.ok(readFileSync(path, "utf8").endsWith(text), `${name} is whole`);
      else assert.ok(!told.kept.includes(`beside ${name}`), name);
    }
    for (const name of ["a.pdf", "last.pdf"])
      if (told.kept.includes(`${name} was read`)) assert.ok((await manifest).has(file(name)), name);
  },
};
