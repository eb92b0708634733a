// Documents that are read aloud: their text is read on this machine, with the password of a locked one.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { parseDocument } from "../../../../../src/sandbox/documents/parseDocument.ts";
import type { Session } from "../../../../../src/session/session.ts";
import { double, replace } from "../../../vscodeDouble.ts";

const { DocumentTexts, isDocumentFile } = await import(
  "../../../../../src/speech/host/reading/documentTexts.ts"
);

const fixture = (name: string) =>
  double.Uri.file(new URL(`../../../fixtures/documents/${name}`, import.meta.url).pathname);

const session = {
  documents: async () => ({
    documentReader: {
      read: (bytes: Uint8Array, password?: string) =>
        parseDocument(bytes, password === undefined ? {} : { password }),
    },
  }),
} as unknown as Pick<Session, "documents">;

/** `passwords`: what the user enters, one after the other. */
function openTexts(t: TestContext, passwords: readonly (string | undefined)[] = [], size = 100) {
  const prompts: string[] = [];
  const left = [...passwords];
  const fs = {
    stat: async () => ({ size }),
    readFile: async ({ path }: { readonly path: string }) => readFileSync(path),
  };
  const token = { onCancellationRequested: () => ({ dispose() {} }) };
  replace(
    "window",
    {
      showInputBox: async ({ prompt }: { readonly prompt: string }) => {
        prompts.push(prompt);
        return left.shift();
      },
      showTextDocument: async () => {},
      withProgress: async (_: object, task: (progress: object, token: object) => unknown) => task({}, token),
    },
    t,
  );
  replace("workspace", { registerTextDocumentContentProvider: () => ({ dispose() {} }) }, t);
  const texts = new DocumentTexts(session);
  t.after(() => texts.dispose());
  const openTextDocument = async (uri: never) => ({ text: await texts.provideTextDocumentContent(uri) });
  replace("workspace", { fs, openTextDocument }, t);
  const open = async (name: string): Promise<string | undefined> => {
    const opened: unknown = await texts.open(fixture(name) as never);
    return typeof opened === "string" || opened === undefined
      ? opened
      : String(Reflect.get(Object(opened), "text"));
  };
  return { open, prompts };
}

test("documents are those whose text is extracted", () => {
  const isDocument = (name: string) => isDocumentFile(fixture(name) as never);
  for (const name of ["a.docx", "a.PDF", "a.pptx", "a.xlsx"]) assert.ok(isDocument(name), name);
  for (const name of ["a.md", "a.txt", "docx"]) assert.ok(!isDocument(name), name);
});

test("the text opens as Markdown", async (t) => {
  assert.match((await openTexts(t).open("harvest.docx")) ?? "", /harvest/i);
});

test("a locked PDF asks again after a wrong password, and the right one opens it", async (t) => {
  const { open, prompts } = openTexts(t, ["wrong", "secret"]);
  assert.equal(await open("password-secret.pdf"), "locked text");
  assert.equal(prompts.length, 2);
  assert.match(prompts[0] ?? "", /locked with a password/);
  assert.match(prompts[1] ?? "", /does not open it/);
});

test("who gives no password gets no text and no failure", async (t) => {
  assert.equal(await openTexts(t, ["wrong", undefined]).open("password-secret.pdf"), undefined);
});

test("a file that can't be read is named with the reason", async (t) => {
  assert.match(
    (await openTexts(t).open("scanned.pdf")) ?? "",
    /^scanned\.pdf can't be read aloud\. There is no text/,
  );
});

test("a file that is too large is not read", async (t) => {
  assert.match((await openTexts(t, [], 1e9).open("harvest.pdf")) ?? "", /at most/);
});
