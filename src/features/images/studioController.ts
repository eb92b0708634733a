import { usualLayers } from "../../shared/imageBounds.ts";
import type { GenerationOutcome, GenerationRun, StudioState } from "../../shared/studioState.ts";
import { galleryController } from "./galleryController.ts";
import { generateAndSave, type Making, type PendingPicture, unsavedOutcome } from "./generateAndSave.ts";
import { requestProblem, toImageRequest } from "./imageRequest.ts";
import type { StoredLayer } from "./layerStore.ts";
import { createLayers } from "./layers.ts";
import { createImageModelListing } from "./modelListing.ts";
import { type Offer, priceOf, toOffer } from "./modelOffer.ts";
import { failed, said, storedAs } from "./outcomes.ts";
import type { StudioControllerDeps, StudioFolder } from "./studioDeps.ts";
import { createNewestDraft, draftOf } from "./studioDraft.ts";
import type { StudioRequest } from "./studioRequests.ts";
import { toStudioState } from "./toStudioState.ts";
import { createUnfinished, type StoredUnfinished } from "./unfinished.ts";

/** The studio without its user interface: settings, pictures to edit, running requests and results. */
export interface StudioController {
  handle(message: StudioRequest): Promise<void>;
  /** Shows the pictures of another folder. */
  show(folder: StudioFolder | undefined): Promise<void>;
  /** Adds pictures to edit. */
  add(pictures: readonly { readonly name: string; readonly data: Uint8Array }[]): void;
  /** Restores the pictures and the unfinished work of an earlier session. */
  restore(layers: readonly StoredLayer[], unfinished?: StoredUnfinished): void;
  /** Opens a picture of the gallery, at once or when the page is ready. */
  reveal(name: string, isPageThere: boolean): void;
  /** Shows a notice, and shows an error. */
  say(text: string): void;
  fail(text: string): void;
  /** The service has changed, or may list other models. */
  serviceChanged(): Promise<void>;
  /** The picture that could not be written yet. */
  readonly unsaved: PendingPicture | undefined;
  /** The unsaved picture was saved elsewhere. */
  unsavedStored(where: string): void;
  refreshGallery(): Promise<void>;
  readonly folder: StudioFolder | undefined;
  stop(): void;
}

export function createStudioController(deps: StudioControllerDeps): StudioController {
  const { post, report } = deps;
  const layers = createLayers(() => offer()?.mostLayers ?? usualLayers, deps.saveLayers);
  const newest = createNewestDraft(deps.draft, (draft) => {
    deps.saveDraft(draft);
    notify();
  });
  let run: GenerationRun | null = null;
  let isAsking = false;
  let stopping: AbortController | undefined;
  let outcome: GenerationOutcome | null = null;
  let unsaved: PendingPicture | undefined;
  let folder: StudioFolder | undefined;
  let toReveal: string | undefined;
  /** A message about the pictures to edit, cleared when they change. */
  let ofLayers: GenerationOutcome | undefined;
  /** The settings before *New*, for *Bring Back*. */
  let earlier: { readonly prompt: string; readonly layers: readonly StoredLayer[] } | undefined;
  const unfinished = createUnfinished(deps.keepNote, report);

  const listing = createImageModelListing(deps, () => notify());
  const shown = galleryController({ post, thumbs: deps.thumbs, folder: () => folder });
  const offer = (): Offer | undefined => {
    const spoken = listing.service?.dialect;
    return spoken && toOffer(listing.models, newest.value, layers.all.length, spoken);
  };
  const state = (): StudioState => {
    const now = offer();
    return toStudioState({
      offer: now,
      layers: layers.all,
      usd: now && priceOf(now, newest.value, layers.all.length, deps.imageAmount),
      isPlayMoney: listing.service?.isSandbox ?? false,
      service: deps.serviceName() ?? "",
      draft: newest.value,
      problem: problemOf(now),
      run,
      outcome: outcome ?? listing.failure,
      hasEarlier: earlier !== undefined,
      folder: folder?.label ?? "",
    });
  };
  const problemOf = (now: Offer | undefined): string => {
    if (deps.serviceName() === undefined) return "No service is connected.";
    if (!now) return listing.isLoading ? "Loading models…" : "The models could not be read.";
    return requestProblem(now, newest.value, layers.all) ?? "";
  };
  const notify = () => post({ v: 1, type: "state", state: state() });
  const conclude = (next: GenerationOutcome | null) => {
    outcome = next;
    notify();
  };
  const hasMask = () => layers.all.some(({ isMask }) => isMask);
  const make = async () => {
    if (run || isAsking) return;
    isAsking = true;
    try {
      const making = await prepare();
      if (making) await runNow(making);
    } catch (error) {
      report(error);
      conclude(failed(deps.explain(error)));
    } finally {
      isAsking = false;
    }
  };
  const prepare = async (): Promise<Making | undefined> => {
    // The connection may have changed since the models were loaded.
    const service = await listing.reach();
    const now = offer();
    const problem = problemOf(now);
    if (!now || problem !== "") {
      conclude(said("failed", problem));
      return undefined;
    }
    const asked = { draft: newest.value, layers: layers.all };
    const costUsd = priceOf(now, newest.value, layers.all.length, deps.imageAmount);
    const into = folder ?? (await deps.ensureFolder());
    if (!into || !(await deps.confirm(now.way, costUsd, hasMask()))) return undefined;
    if (into !== folder) await controller.show(into);
    return {
      api: service.api,
      service: service.name,
      isPlayMoney: service.isSandbox,
      request: toImageRequest(now, asked.draft, asked.layers),
      model: now.model?.id ?? "",
      inputs: asked.layers.map(({ name }) => name),
      prompt: asked.draft.prompt,
      costUsd,
      gallery: into.gallery,
    };
  };
  const runNow = async (making: Making) => {
    stopping = new AbortController();
    outcome = null;
    const startedMs = deps.now();
    const progress = (step: Partial<GenerationRun>) => {
      run = { phase: "waiting", received: 0, total: 0, ...step, startedMs };
      notify();
    };
    progress({});
    await unfinished.begin(making);
    try {
      const ended = await generateAndSave(making, { signal: stopping.signal, progress, ...deps });
      unsaved = ended.pending ?? unsaved;
      outcome = ended.outcome;
    } finally {
      unfinished.settle();
      run = null;
      stopping = undefined;
      notify();
    }
    await shown.refresh();
    if (outcome?.kind !== "kept") return;
    deps.onStored?.();
    post({ v: 1, type: "reveal", name: outcome.picture });
  };
  const saveUnsaved = async () => {
    const into = folder ?? (await deps.ensureFolder());
    if (!unsaved || !into) return;
    const { name, data, facts } = unsaved;
    try {
      const stored = await into.gallery.add(name, data, facts);
      unsaved = undefined;
      await shown.refresh();
      conclude(storedAs(stored));
    } catch (error) {
      report(error);
      conclude(unsavedOutcome(name, error));
    }
  };
  const added = (problem: string | undefined) => {
    const isOld = outcome !== null && outcome === ofLayers;
    ofLayers = problem === undefined ? undefined : said("failed", problem);
    conclude(ofLayers ?? (isOld ? null : outcome));
  };
  const begin = (next: NonNullable<typeof earlier>, before: typeof earlier) => {
    earlier = before;
    layers.clear();
    layers.restore(next.layers);
    deps.saveLayers(layers.all);
    newest.change({ prompt: next.prompt });
    conclude(null);
  };
  const reuse = async (name: string) => {
    const { facts } = (await folder?.gallery.facts(name)) ?? {};
    if (facts) newest.change(draftOf(facts));
  };
  const controller: StudioController = {
    async handle(message) {
      switch (message.type) {
        case "ready":
          if (unfinished.strokes) post({ v: 1, type: "strokes", strokes: unfinished.strokes });
          notify();
          await shown.refresh();
          if (toReveal !== undefined) post({ v: 1, type: "reveal", name: toReveal });
          toReveal = undefined;
          return listing.service ? undefined : listing.load();
        case "draft":
          return newest.handle(message.body.draft);
        case "make":
          return make();
        case "stop":
          return stopping?.abort();
        case "dismiss":
          if (!run) unfinished.settle();
          listing.dismissFailure();
          return conclude(null);
        case "useSuggestion":
          if (outcome?.suggestion) newest.change({ prompt: outcome.suggestion });
          return;
        case "strokes":
          return unfinished.paint(message.body.strokes);
        case "new":
          return begin({ prompt: "", layers: [] }, { prompt: newest.value.prompt, layers: layers.all });
        case "bringBack":
          return earlier && begin(earlier, undefined);
        case "search":
          return shown.search(message.body.text);
        case "saveAgain":
          return saveUnsaved();
        case "addBytes":
          return added(layers.add(message.body.name, message.body.bytes));
        case "addPicture": {
          const { name } = message.body;
          const data = await folder?.gallery.read(name);
          return data && added(layers.add(name, data));
        }
        case "mask":
          return added(layers.setMask(message.body.bytes));
        case "replaceLayer":
          return added(layers.replace(message.body.id, message.body.bytes));
        case "removeLayer":
          return added(layers.remove(message.body.id));
        case "moveLayer":
          layers.move(message.body.id, message.body.to);
          return notify();
        case "reuse":
          return reuse(message.body.name);
        case "want": {
          const { of } = message.body;
          if (of.kind === "picture" && of.name === unsaved?.name) {
            return post({ v: 1, type: "bytes", of, data: new Uint8Array(unsaved.data) });
          }
          if (of.kind !== "layer") return shown.want(of);
          const layer = layers.all.find(({ id }) => id === of.name);
          const data = layer ? new Uint8Array(layer.data) : null;
          return post({ v: 1, type: "bytes", of, data });
        }
        case "items":
          return shown.items(message.body);
        case "thumb":
          return shown.saveThumb(message.body);
      }
    },
    async show(next) {
      folder = next;
      notify();
      await shown.refresh();
    },
    add(pictures) {
      const problems = pictures.map(({ name, data }) => layers.add(name, data));
      added(problems.find((problem) => problem !== undefined));
    },
    restore(stored, left) {
      layers.restore(stored);
      conclude((left && unfinished.restore(left)) ?? outcome);
    },
    reveal(name, isPageThere) {
      if (isPageThere) post({ v: 1, type: "reveal", name });
      else toReveal = name;
    },
    say: (text) => conclude(said("said", text)),
    fail: (text) => conclude(said("failed", text)),
    async serviceChanged() {
      // A message about the former service is obsolete.
      if (outcome?.kind === "failed" && outcome !== unfinished.cut) outcome = null;
      listing.forget();
      await listing.load();
    },
    get unsaved() {
      return unsaved;
    },
    unsavedStored(where) {
      unsaved = undefined;
      controller.say(`Saved as ${where}.`);
    },
    refreshGallery: () => shown.refresh(),
    get folder() {
      return folder;
    },
    stop() {
      unfinished.leave();
      stopping?.abort();
    },
  };
  return controller;
}
