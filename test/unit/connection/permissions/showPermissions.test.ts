// The list of what the user has allowed, and what revoking one line or all does.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { QuickInputButton, QuickPickItem } from "vscode";
import type { Connection } from "../../../../src/session/connection/connection.ts";
import type { Consent } from "../../../../src/session/consent/consent.ts";
import { settings } from "../../../../src/shared/names/ids.ts";
import { configurationOf } from "../../configurationDouble.ts";
import { openConsents } from "../../session/openConsents.ts";
import { replace } from "../../vscodeDouble.ts";

const { consentTitles } = await import("../../../../src/connection/permissions/permissionGroups.ts");
const { showPermissions } = await import("../../../../src/connection/permissions/showPermissions.ts");

const live: Connection = {
  id: "c-1",
  name: "One",
  kind: "live",
  baseUrl: "https://one.example/api/v1",
  dialect: "auto",
};
const sandbox: Connection = { ...live, id: "sandbox", name: "Sandbox", kind: "sandbox", baseUrl: "" };
const at = "c-1 https://one.example";

type Item = QuickPickItem & { readonly run?: () => unknown };
type Listener<Value> = (value: Value) => unknown;

/** A quick pick that a test operates. */
function openPick(t: TestContext, answers: readonly (string | undefined)[] = []) {
  const listeners: Record<string, Listener<never>> = {};
  const on = (name: string) => (listener: Listener<never>) => {
    listeners[name] = listener;
    return { dispose() {} };
  };
  const pick = {
    title: "",
    value: "",
    placeholder: "",
    items: [] as Item[],
    activeItems: [] as Item[],
    buttons: [] as QuickInputButton[],
    onDidAccept: on("accept"),
    onDidHide: on("hide"),
    onDidTriggerButton: on("button"),
    onDidTriggerItemButton: on("item"),
    show() {},
    dispose() {},
  };
  const messages: string[] = [];
  const left = [...answers];
  const showInformationMessage = async (message: string) => {
    messages.push(message);
    return left.shift();
  };
  const showErrorMessage = showInformationMessage;
  replace("window", { createQuickPick: () => pick, showInformationMessage, showErrorMessage }, t);
  configurationOf(t, {
    user: {
      [settings.chatAllowedCommands]: [],
      [settings.walletCommand]: [],
      [settings.toolsMcpEnabled]: false,
    },
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const fire = async (name: string, value?: unknown) => {
    listeners[name]?.(value as never);
    await settle();
  };
  const item = (label: string) =>
    pick.items.find((one) => one.label.includes(label)) ?? assert.fail(`no ${label}`);
  return {
    pick,
    messages,
    item,
    labels: () => pick.items.map(({ label }) => label),
    async accept(label: string) {
      pick.activeItems = [item(label)];
      await fire("accept");
    },
    /** Presses the button of a line. */
    press: (label: string) => fire("item", { item: item(label), button: item(label).buttons?.[0] }),
    pressTop: () => fire("button", pick.buttons[0]),
    hide: () => fire("hide"),
  };
}

const consent = (kind: Consent["kind"], says: string, more: Partial<Consent> = {}): Consent => ({
  kind,
  receiver: at,
  subject: [says],
  says,
  ...more,
});

function openList(
  t: TestContext,
  answers?: readonly (string | undefined)[],
  connection = live,
  consents = openConsents({ now: () => Date.UTC(2026, 10, 26, 12) }),
) {
  let refreshed = 0;
  const view = openPick(t, answers);
  const deps = {
    consents,
    connections: { all: () => [connection, sandbox] },
    session: { refresh: () => void refreshed++ },
  };
  return { ...view, consents, refreshed: () => refreshed, show: () => void showPermissions(deps) };
}

test("each permission is listed below the connection and the address that it is for, with its limit", async (t) => {
  const { consents, show, pick, labels } = openList(t);
  await consents.give(consent("price", "Search the web", { usd: 0.5 }));
  await consents.give(consent("mcp", "Codex: Read a page", { usd: 0.01 }));
  await consents.give(consent("completions", "Send code", { receiver: "sandbox" }));
  await consents.give(consent("tool", "Old", { receiver: "c-1 https://former.example" }));
  await consents.give(consent("overdraft", "Go on", { untilMs: Date.UTC(2026, 10, 27) }));
  show();
  assert.deepEqual(labels(), [
    "One: https://one.example",
    "$(check) Search the web",
    "$(check) Codex: Read a page",
    "$(check) Go on",
    "$(clear-all) Revoke These 3",
    "Sandbox: play money, on this machine",
    "$(check) Send code",
    "Not in use: https://former.example",
    "$(check) Old",
  ]);
  const notes = pick.items.map(({ description = "" }) => description);
  assert.match(notes[1] ?? "", /^Prices · up to \$0\.50 a call · since /);
  assert.match(notes[2] ?? "", /^MCP clients · up to \$0\.10 a call/);
  assert.match(notes[3] ?? "", /^Spending beyond a budget · until 2026-11-27 00:00 UTC/);
});

test("a collector, an address and a program are receivers of their own, and no removed connections", async () => {
  const receivers = ["https://traces.example:4318", "https://alerts.example", "/opt/my tools/alert"];
  const given = [
    consent("traces", "Send traces", { receiver: receivers[0] ?? "" }),
    consent("alerts", "Send alerts", { receiver: receivers[1] ?? "" }),
    consent("alerts", "Run a program", { receiver: receivers[2] ?? "" }),
  ];
  const { permissionGroups } = await import("../../../../src/connection/permissions/permissionGroups.ts");
  assert.deepEqual(
    permissionGroups(given, [live]).map(({ title, heading }) => [title, heading]),
    receivers.map((receiver) => [receiver, receiver]),
  );
});

test("a long name leaves room for the address", async (t) => {
  const consents = openConsents();
  await consents.give(consent("price", "Search the web"));
  const { show, labels, item } = openList(
    t,
    [],
    { ...live, name: "Production account of the department" },
    consents,
  );
  show();
  assert.equal(labels()[0], "Production account o…: https://one.example");
  assert.ok(item("Search the web"));
});

test("a revoked line stays in its place and is restored there; a later list does not have it", async (t) => {
  const { consents, show, press, labels, hide, messages } = openList(t);
  await consents.give(consent("price", "First"));
  await consents.give(consent("tool", "Second"));
  show();
  await press("First");
  assert.deepEqual(labels().slice(1, 3), ["$(circle-slash) Revoked: First", "$(check) Second"]);
  assert.deepEqual(
    consents.all().map(({ says }) => says),
    ["Second"],
  );
  await press("First");
  assert.deepEqual(labels().slice(1, 3), ["$(check) First", "$(check) Second"]);
  await press("Second");
  await hide();
  assert.deepEqual(messages, ["1 permission was revoked. You are asked again."]);
  show();
  assert.deepEqual(labels(), ["One: https://one.example", "$(check) First"]);
});

test("all of a connection, or all, are revoked at once, and restored from the message", async (t) => {
  const { consents, show, accept, pressTop, hide, labels, messages, refreshed } = openList(t, ["Restore"]);
  await consents.give(consent("price", "First"));
  await consents.give(consent("wallet", "Pay"));
  await consents.give(consent("completions", "Send code", { receiver: "sandbox" }));
  show();
  await accept("Revoke These 2");
  assert.deepEqual(
    consents.all().map(({ says }) => says),
    ["Send code"],
  );
  assert.equal(refreshed(), 1, "the clients are built without the wallet");
  await pressTop();
  assert.deepEqual(consents.all(), []);
  assert.ok(labels().every((label) => !label.includes("$(check)")));
  await hide();
  assert.deepEqual(messages, ["3 permissions were revoked. You are asked again."]);
  assert.equal(consents.all().length, 3);
  assert.equal(refreshed(), 2);
});

test("a line shows all that is known, in lines that are not cut, and revokes", async (t) => {
  const { consents, show, accept, pick, labels } = openList(t);
  const name = `Tidy $(check) \u202e${"long name ".repeat(15)}`;
  await consents.give(consent("extension", name));
  show();
  assert.ok(pick.items[1]?.label.startsWith("$(check) Tidy $ (check) ⟨U+202E⟩long"));
  await accept("Tidy");
  assert.equal(pick.title, "Permission");
  assert.ok(labels().every((label) => label.length <= 60));
  assert.ok(labels().join("").includes("For: One: https://one.example"));
  assert.ok(labels().includes("Last used: not yet"));
  await accept("$(trash) Revoke");
  assert.deepEqual(consents.all(), []);
  assert.equal(pick.title, "Revoked Permission");
  await accept("$(discard) Restore");
  assert.equal(consents.all().length, 1);
  await accept("All Permissions");
  assert.equal(pick.title, "Permissions");
});

test("without permissions it says so, and names the settings that allow something", (t) => {
  const { show, labels, pick } = openList(t);
  show();
  assert.deepEqual(labels(), ["Nothing is allowed without a question"]);
  assert.deepEqual(pick.buttons, []);
  configurationOf(t, {
    user: {
      [settings.chatAllowedCommands]: ["npm test", "git add *"],
      [settings.walletCommand]: ["sign"],
      [settings.toolsMcpEnabled]: true,
      [settings.gatewayEnabled]: true,
    },
  });
  show();
  assert.deepEqual(labels().slice(1), [
    "By Settings",
    "$(terminal) npm test",
    "$(terminal) git add *",
    "$(settings-gear) A program that signs for wallets",
    "$(settings-gear) MCP clients can call the tools",
    "$(settings-gear) Other agents can use the service",
  ]);
});

test("a command that the settings allow is taken off them; one that can't be is still listed", async (t) => {
  const { show, labels, press, messages } = openList(t);
  const allowed = { [settings.chatAllowedCommands]: ["npm test", "git add *"] };
  const { user } = configurationOf(t, { user: allowed });
  show();
  await press("npm test");
  assert.deepEqual(user[settings.chatAllowedCommands], ["git add *"]);
  assert.ok(!labels().some((label) => label.includes("npm test")));
  configurationOf(t, { user: allowed, problem: "The settings have unsaved changes." });
  show();
  await press("git add *");
  assert.ok(labels().some((label) => label.includes("git add *")));
  assert.ok(messages.some((message) => message.includes("The settings have unsaved changes.")));
});

test("each kind has a heading of its own", () => {
  const titles = Object.values(consentTitles);
  assert.equal(new Set(titles).size, titles.length);
});
