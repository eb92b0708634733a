// The text of the studio between its page and its host: the last typed text wins, whichever restarts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Thumbs } from "../../../../src/images/host/gallery/thumbs.ts";
import { imageSchemas } from "../../../../src/images/host/imageSchemas.ts";
import type { StudioRequest } from "../../../../src/images/host/studio/requests/studioRequests.ts";
import { StudioController } from "../../../../src/images/host/studio/studioController.ts";
import type { StudioBridge } from "../../../../src/images/page/bridge.ts";
import { StudioModel } from "../../../../src/images/page/studioModel.ts";
import type { FromStudio, ToStudio } from "../../../../src/images/protocol/studioProtocol.ts";
import { emptyStudioDraft, type StudioState } from "../../../../src/images/protocol/studioState.ts";
import { explain } from "../../../../src/platform/errors/errorMessage.ts";

/** A page with the state that the editor stores for it. */
function openPage(stored: StudioBridge["kept"] = {}) {
  let state = stored;
  const said: FromStudio[] = [];
  const listeners: ((message: ToStudio) => void)[] = [];
  const model = new StudioModel({
    post: (type, body) => {
      const message = imageSchemas.parseFromStudio({ v: 1, type, body });
      if (message) said.push(message);
    },
    onMessage: (listener) => listeners.push(listener),
    on: () => {},
    get kept() {
      return state;
    },
    keep(members) {
      state = { ...state, ...members };
    },
  });
  return {
    model,
    said,
    handle(message: ToStudio) {
      for (const listener of listeners) listener(message);
    },
    words: () => model.draft.value?.prompt,
    kept: () => state,
  };
}

/** A host without a service that starts with the stored state of the former one. */
async function openHost(stored?: unknown) {
  let draft: unknown = stored;
  const reported: StudioState[] = [];
  const noService = async () => Promise.reject(new Error("no service is set up"));
  const controller = new StudioController({
    post: (message) => message.type === "state" && reported.push(message.state),
    service: noService,
    serviceName: () => undefined,
    ensureFolder: async () => undefined,
    confirm: async () => false,
    addressProblem: noService,
    previewOf: noService,
    explain: (error) => explain(error, { service: "The service" }),
    imageAmount: imageSchemas.imageAmount,
    thumbs: new Thumbs("not-there"),
    saveLayers: () => {},
    saveNote: async () => {},
    saveDraft(next) {
      draft = structuredClone(next);
    },
    draft: imageSchemas.parseDraft(stored),
    now: Date.now,
    report: () => {},
  });
  await controller.handle({ v: 1, type: "ready", body: {} });
  const state = () => {
    const last = reported.at(-1);
    assert.ok(last);
    return last;
  };
  const report = (): ToStudio => ({ v: 1, type: "state", state: state() });
  return { controller, state, tell: report, kept: () => draft };
}

type Page = ReturnType<typeof openPage>;
type Host = Awaited<ReturnType<typeof openHost>>;

/** Delivers all messages of both sides. */
async function settle(page: Page, host: Host): Promise<void> {
  page.handle(host.tell());
  for (const message of page.said.splice(0)) {
    await host.controller.handle(message as StudioRequest);
    page.handle(host.tell());
  }
}

test("a page of an older tab shows the text typed in a newer one, also after the host restarted", async () => {
  const before = await openHost();
  const older = openPage();
  await settle(older, before);
  older.model.change({ prompt: "a fox" });
  await settle(older, before);
  const newer = openPage();
  await settle(newer, before);
  newer.model.change({ prompt: "a lake" });
  await settle(newer, before);
  const after = await openHost(before.kept());
  const restored = openPage(older.kept());
  await settle(restored, after);
  assert.deepEqual([restored.words(), after.state().draft.prompt], ["a lake", "a lake"]);
});

test("text that the host could not store in time is restored, and counts as the newest", async () => {
  const before = await openHost();
  const page = openPage();
  await settle(page, before);
  page.model.change({ prompt: "a f" });
  await settle(page, before);
  const stored = before.kept();
  page.model.change({ prompt: "a fo" });
  page.model.change({ prompt: "a fox" });
  const after = await openHost(stored);
  const restored = openPage(page.kept());
  await settle(restored, after);
  assert.deepEqual([restored.words(), after.state().draft.prompt], ["a fox", "a fox"]);
  const again = openPage({ prompt: { text: "a f", draftStamp: 1 } });
  await settle(again, await openHost(after.kept()));
  assert.equal(again.words(), "a fox");
});

test("text set by the host is shown, but never replaces text typed since", async () => {
  const host = await openHost();
  const page = openPage();
  await settle(page, host);
  page.model.change({ prompt: "a f" });
  const [first] = page.said;
  page.model.change({ prompt: "a fox" });
  await host.controller.handle(first as StudioRequest);
  page.handle(host.tell());
  assert.equal(page.words(), "a fox");
  page.said.shift();
  await settle(page, host);
  const state = host.state();
  const mild = { ...state.draft, prompt: "a mild fox", stamp: state.draft.stamp + 1 };
  page.handle({ v: 1, type: "state", state: { ...state, draft: mild } });
  assert.equal(page.words(), "a mild fox");
});

test("the text of a page that missed newer text is the same on both sides", async () => {
  const host = await openHost({ ...emptyStudioDraft, prompt: "a lake", stamp: 7 });
  const [page, other] = [openPage(), openPage()];
  for (const one of [page, other]) await settle(one, host);
  for (const prompt of ["a h", "a hi", "a hill"]) other.model.change({ prompt });
  await settle(other, host);
  page.model.change({ prompt: "a fox" });
  for (const message of page.said.splice(0)) await host.controller.handle(message as StudioRequest);
  page.handle(host.tell());
  assert.deepEqual([page.words(), host.state().draft.prompt], ["a fox", "a fox"]);
  assert.ok(host.state().draft.stamp > 10);
});

test("a stored draft without a timestamp is the oldest", () => {
  const { stamp, ...old } = emptyStudioDraft;
  assert.equal(stamp, 0);
  assert.deepEqual(imageSchemas.parseDraft({ ...old, prompt: "a fox" }), {
    ...emptyStudioDraft,
    prompt: "a fox",
  });
});
