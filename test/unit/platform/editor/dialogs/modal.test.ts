// Dialogs that ask for a decision about foreign text show all of it.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { TextDocument } from "vscode";
import { ApiError } from "../../../../../src/api/errors/errors.ts";
import type { ToolSource } from "../../../../../src/chat/host/tools/toolList.ts";
import type { Session } from "../../../../../src/session/session.ts";
import type { StoredResult } from "../../../../../src/web/results/storedResult.ts";
import { weather } from "../../../chat/weatherTool.ts";
import { allHidden } from "../../../hiddenSamples.ts";
import { openConsents } from "../../../session/openConsents.ts";
import { note, replace, shown } from "../../../vscodeDouble.ts";

const hostile = `rm -rf ${allHidden}name`;
const baseUrl = "https://service.example/api/v1";
const session = { active: { id: "c", name: hostile, kind: "live", baseUrl } } as unknown as Session;

const { ask, choose } = await import("../../../../../src/platform/editor/dialogs/ask.ts");
const { explain } = await import("../../../../../src/platform/errors/errorMessage.ts");
const { askModally, consentModally, warnModally } = await import(
  "../../../../../src/platform/editor/dialogs/modal.ts"
);
const { confirmPrice } = await import("../../../../../src/session/spend/confirmPrice.ts");
const { maySend } = await import("../../../../../src/session/sandbox/readiness.ts");
const { pickRecent } = await import("../../../../../src/web/results/pickRecent.ts");
const { createEditorSources } = await import(
  "../../../../../src/chat/host/attachments/sources/editorSources.ts"
);
const { useCode } = await import("../../../../../src/chat/host/code/codeActions.ts");
const { createProposals } = await import("../../../../../src/chat/host/code/proposals.ts");
const { createToolList } = await import("../../../../../src/chat/host/tools/toolList.ts");

/** Shows the title of the tab. */
const staged = {
  changes: { add: () => {} },
  show: async ({ proposal }: { readonly proposal: { readonly title: string } }) => note(proposal.title),
};
const proposals = createProposals({ get: async () => ({ staged }) } as never);
const parts = { proposals, lastEditor: { target: undefined } };
const code = { action: "run", text: "ls", language: "sh" } as const;
const stored = {
  id: "1",
  kind: "page",
  url: hostile,
  title: hostile,
  atMs: 0,
  bytes: 1,
} as unknown as StoredResult;

const places: Readonly<Record<string, () => unknown>> = {
  "a modal warning": () => warnModally(hostile, { detail: hostile }, "Yes"),
  "a modal consent": () => consentModally(hostile, { detail: hostile }, { yes: "Send", no: "Don't Send" }),
  "a modal question": () => askModally(hostile, { detail: hostile }, "Yes"),
  "an input box": () => ask({ title: "Title", prompt: hostile }),
  "a list to pick from": () =>
    choose({
      title: "Title",
      placeholder: "Which?",
      items: [{ label: hostile, description: hostile, detail: hostile, value: 1 }],
    }),
  "the sentence of an error": () =>
    shown.push(explain(new ApiError("invalid-request", hostile), { service: "S" }).sentence),
  "the confirmation of a secret file": () => maySend(`${hostile}.pem`),
  "the confirmation of a price": () =>
    confirmPrice(
      { session, consents: openConsents() },
      { action: "scrape", title: hostile, button: "Read", usd: 1, detail: hostile },
    ),
  "the confirmation of an attachment": () => createEditorSources().confirm(hostile, "Attach"),
  "recent paid results": () => pickRecent([stored], [], async () => {}),
  "the file name for saving code": () => useCode({ ...code, action: "save", path: `src/${hostile}` }, parts),
  "the target file of code": () => useCode({ ...code, action: "apply", path: `src/${hostile}` }, parts),
  "the title of a proposal": () =>
    proposals.show(
      { uri: { path: `/work/${hostile}` }, getText: () => "" } as unknown as TextDocument,
      "new",
    ),
  "the tools of a chat": async () => {
    const tools = [{ ...weather(), title: hostile, description: hostile }];
    const source = {
      read: async () => ({ tools, problem: hostile }),
      onDidChange: () => ({ dispose() {} }),
    } as unknown as ToolSource;
    const set = (patch: object) =>
      JSON.stringify(patch, (name, value) => {
        if (typeof value === "string" && name !== "name") shown.push(value);
        return value;
      });
    await createToolList({ set }, source).load();
  },
};

const hidden = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u;

for (const [place, show] of Object.entries(places)) {
  test(`all text is visible in ${place}`, async () => {
    shown.length = 0;
    void show();
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    const whole = shown.join("\n");
    assert.ok(whole.includes("⟨U+202E⟩") && whole.includes("⟨U+E0041⟩"), `nothing of it was shown: ${whole}`);
    assert.doesNotMatch(whole, hidden);
  });
}

test("a command with hidden characters is refused without a dialog", async () => {
  for (const character of allHidden.replaceAll("x", "").split("")) {
    if (character === "\r") continue;
    shown.length = 0;
    await useCode({ ...code, text: `ls a${character}b` }, parts);
    assert.match(shown.join(" "), /^The command was not run/, JSON.stringify(character));
  }
  shown.length = 0;
  await useCode({ ...code, text: "ls\nls -la ~/äöü" }, parts);
  assert.deepEqual(shown, ["Run these 2 lines in the terminal?", "ls\nls -la ~/äöü", "Run"]);
});

test("who presses Enter repeatedly agrees to nothing: the first button copies the question, which is asked again", async (t) => {
  const presses = ["Copy Details", "Copy Details", "Send"];
  const asked: unknown[] = [];
  const copied: string[] = [];
  const showWarningMessage = async (
    question: string,
    options: object,
    ...items: readonly { title: string }[]
  ) => {
    asked.push([question, options, items]);
    const press = presses.shift();
    return items.find(({ title }) => title === press);
  };
  const writeText = async (text: string) => {
    copied.push(text);
    if (copied.length > 1) throw new Error("no clipboard");
  };
  replace("window", { showWarningMessage }, t);
  replace("env", { clipboard: { writeText } }, t);
  const ask = () =>
    consentModally("Send\u202e it?", { detail: "To: 0x1\nValue: 2" }, { yes: "Send", no: "Keep" });
  assert.equal(await ask(), true);
  const buttons = [
    { title: "Copy Details" },
    { title: "Send" },
    // The only button that says no: for it the editor adds no "Cancel".
    { title: "Keep", isCloseAffordance: true },
  ];
  const question = ["Send⟨U+202E⟩ it?", { modal: true, detail: "To: 0x1\nValue: 2" }, buttons];
  assert.deepEqual(asked, [question, question, question]);
  assert.deepEqual(copied, Array(2).fill("Send⟨U+202E⟩ it?\n\nTo: 0x1\nValue: 2"));
  presses.push("Keep");
  assert.equal(await ask(), false);
  // Escape in an editor that does not know the button, or a dialog that was closed.
  assert.equal(await ask(), false);
});

test("only one module opens modal dialogs, and it shows all text", () => {
  const root = join(import.meta.dirname, "../../../../..");
  const files = globSync("src/**/*.ts", { cwd: root }).filter((file) =>
    /modal:\s*true/.test(readFileSync(join(root, file), "utf8")),
  );
  assert.deepEqual(files, [join("src", "platform", "editor", "dialogs", "modal.ts")]);
});
