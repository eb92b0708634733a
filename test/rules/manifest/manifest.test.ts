// The manifest matches ids.ts and requests nothing that the project excludes.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { rpcOutputMime } from "../../../src/rpc/output/rpcOutput.ts";
import {
  chatTab,
  commands,
  contexts,
  extensionId,
  languages,
  notebooks,
  renderers,
  requestsPanel,
  resultsPanel,
  reviewContexts,
  usageDashboard,
  views,
  walkthroughs,
} from "../../../src/shared/names/ids.ts";
import { root } from "../../tools/paths.ts";
import {
  assertSame,
  contributes,
  declared,
  declaredViews,
  domainOf,
  domains,
  keyOf,
  manifest,
  menuItems,
} from "./manifest.ts";

const allContexts = [...Object.values(contexts), ...Object.values(reviewContexts)];

test("commands match ids.ts, each named after its domain, with a title and the domain's category", () => {
  assertSame(
    contributes.commands.map(({ command }) => command),
    Object.values(commands),
  );
  for (const [key, id] of Object.entries(commands)) assert.equal(key, keyOf(id));
  for (const { command, title, category } of contributes.commands) {
    assert.ok(title, `${command} has no title`);
    assert.equal(category, `Inference ${domains[domainOf(command)]}`, command);
  }
});

test("domains are folders of src", () => {
  for (const domain of Object.keys(domains)) assert.ok(existsSync(join(root, "src", domain)), domain);
});

test("no title repeats a word of its category", () => {
  const words = (text = "") =>
    text
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .map((word) => word.replace(/s$/, ""));
  for (const { command, title, category } of contributes.commands) {
    const taken = words(category);
    assert.deepEqual(
      words(title).filter((word) => word !== "" && taken.includes(word)),
      [],
      `${command}: ${category}: ${title}`,
    );
  }
});

test("views and their containers match ids.ts", () => {
  const containers = Object.values(contributes.viewsContainers).flat();
  assertSame(
    [...containers, ...declaredViews].map(({ id }) => id),
    Object.values(views),
  );
  assertSame(
    Object.keys(contributes.views),
    containers.map(({ id }) => id),
  );
  for (const { icon } of containers) assert.ok(existsSync(join(root, icon)), icon);
});

test("the extension's id matches ids.ts", () => {
  assert.equal(`${manifest.publisher}.${manifest.name}`, extensionId);
});

test("notebooks, their languages and renderers match ids.ts", () => {
  assertSame(
    contributes.notebooks.map(({ type }) => type),
    Object.values(notebooks),
  );
  assertSame(
    contributes.languages.map(({ id }) => id),
    Object.values(languages),
  );
  assertSame(
    contributes.notebookRenderer.map(({ id }) => id),
    Object.values(renderers),
  );
  assert.deepEqual(
    contributes.notebookRenderer.map(({ mimeTypes }) => mimeTypes),
    [[rpcOutputMime]],
  );
});

test("activation starts after the window, and no event is listed twice", () => {
  const events = manifest.activationEvents ?? [];
  assert.ok(events.includes("onStartupFinished")); // the light bulb and the hover support every language
  for (const event of events) {
    assert.notEqual(event, "*");
    const [kind, id] = event.split(":");
    assert.notEqual(kind, "onLanguage", "onStartupFinished comes before the first file that needs us");
    if (kind === "onCommand") assert.fail(`${event}: VS Code derives it from the command ${id}`);
  }
});

test("no proposed API, no run-time dependencies, exact versions", () => {
  assert.equal(manifest.enabledApiProposals, undefined);
  assert.equal(manifest.dependencies, undefined);
  for (const [name, version] of Object.entries(manifest.devDependencies)) {
    assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
  }
});

test("compiles against the API of the oldest supported VS Code", () => {
  const oldest = /^\^(\d+\.\d+\.\d+)$/.exec(manifest.engines.vscode)?.[1];
  assert.equal(oldest, "1.106.0");
  assert.equal(manifest.devDependencies["@types/vscode"], oldest);
});

test("menus and welcome texts name existing targets", () => {
  const known: readonly string[] = Object.values(commands);
  const knownViews = declaredViews.map(({ id }) => id);
  for (const { command } of menuItems) if (command) assert.ok(known.includes(command), command);
  for (const { view, contents } of contributes.viewsWelcome) {
    assert.ok(knownViews.includes(view), view);
    const links = [...contents.matchAll(/\(command:([\w.]+)/g)].map(([, command = ""]) => command);
    for (const link of links) assert.ok(known.includes(link), link);
  }
});

test("each step of the tour has its picture, existing targets and a completion event that can occur", () => {
  assert.deepEqual(
    contributes.walkthroughs.map(({ id }) => id),
    Object.values(walkthroughs),
  );
  const known = new Set<string>([
    // An executed command may have failed, so steps complete on its effect.
    ...allContexts.map((id) => `onContext:${id}`),
    ...Object.values(views).map((id) => `onView:${id}`),
    ...Object.keys(declared).map((id) => `onSettingChanged:${id}`),
    `onContext:${contexts.speechState} == 'reading'`,
    "onContext:activeWebviewPanelId == 'inference.usageDashboard'",
  ]);
  const focus = Object.values(views).map((id) => `${id}.focus`);
  const linked = new Set<string>([...Object.values(commands), ...focus]);
  for (const { id, description, media, completionEvents } of contributes.walkthroughs.flatMap(
    ({ steps }) => steps,
  )) {
    assert.ok(existsSync(join(root, media.svg)), `${id}: ${media.svg}`);
    for (const [, command = ""] of description.matchAll(/\(command:([^)]+)\)/g))
      assert.ok(linked.has(command), command);
    assert.ok(completionEvents.length > 0, id);
    for (const event of completionEvents) assert.ok(known.has(event), event);
  }
});

test("clauses use only context keys of ids.ts", () => {
  const clauses = [...menuItems, ...declaredViews, ...contributes.keybindings].map(({ when }) => when);
  const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
  const ends = steps.flatMap(({ completionEvents }) => completionEvents);
  const read = ends
    .filter((event) => event.startsWith("onContext:"))
    .map((event) => event.slice("onContext:".length));
  const enabled = contributes.commands.map(({ enablement }) => enablement);
  const all = [...clauses, ...enabled, ...read].join(" ");
  const own = [...all.matchAll(/\binference\.[\w.]+/g)].map(([key]) => key);
  const known: readonly string[] = [
    ...allContexts,
    ...Object.values(views),
    ...Object.values(views).map((view) => `${view}.visible`),
    ...Object.keys(declared),
    chatTab,
    requestsPanel,
    resultsPanel,
    usageDashboard,
  ];
  assert.deepEqual(
    own.filter((key) => !known.includes(key.replace(/^config\./, ""))),
    [],
  );
  for (const key of allContexts) assert.ok(own.includes(key), `nothing reads ${key}`);
});
