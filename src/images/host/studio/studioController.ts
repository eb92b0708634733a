import { usualLayers } from "../../../shared/images/imageBounds.ts";
import type { BytesOf } from "../../protocol/studioProtocol.ts";
import type { GenerationOutcome } from "../../protocol/studioState.ts";
import { GalleryController } from "../gallery/galleryController.ts";
import { type GenerationJob, Generations, type PendingPicture } from "../gallery/generations.ts";
import type { StoredLayer } from "./layers/layerStore.ts";
import { createImageModelListing, type ImageModelListing } from "./models/modelListing.ts";
import { type Offer, priceOf } from "./models/modelOffer.ts";
import { requestProblem, toImageRequest } from "./requests/imageRequest.ts";
import { notice } from "./requests/outcomes.ts";
import type { StudioRequest } from "./requests/studioRequests.ts";
import { type StoredUnfinished, Unfinished } from "./requests/unfinished.ts";
import type { StudioControllerDeps, StudioFolder } from "./studioDeps.ts";
import { StudioInputs } from "./studioInputs.ts";
import { toStudioState } from "./toStudioState.ts";

/** The studio without its user interface: settings, pictures to edit, running requests and results. */
export class StudioController {
  readonly #deps: StudioControllerDeps;
  readonly #inputs: StudioInputs;
  readonly #listing: ImageModelListing;
  readonly #gallery: GalleryController;
  readonly #generations: Generations;
  readonly #unfinished: Unfinished;
  #folder: StudioFolder | undefined;
  #toReveal: string | undefined;
  /** The shown message about the pictures to edit. It is cleared when they change. */
  #layerProblem: GenerationOutcome | undefined;
  /** The failure of the last request. It goes with a picture, because it may have been about that one. */
  #refusal: GenerationOutcome | undefined;

  constructor(deps: StudioControllerDeps) {
    const { post, thumbs, report } = deps;
    const onChange = () => this.#postState();
    this.#deps = deps;
    this.#inputs = new StudioInputs({
      ...deps,
      mostLayers: () => this.#offer()?.mostLayers ?? usualLayers,
      onDraft: onChange,
    });
    this.#listing = createImageModelListing(deps, onChange);
    this.#gallery = new GalleryController({ post, thumbs, folder: () => this.#folder });
    this.#unfinished = new Unfinished(deps.saveNote, report);
    this.#generations = new Generations({
      ...deps,
      unfinished: this.#unfinished,
      onChange,
      refresh: () => this.#gallery.refresh(),
      onSaved(name) {
        deps.onStored?.();
        post({ v: 1, type: "reveal", name });
      },
    });
  }

  get folder(): StudioFolder | undefined {
    return this.#folder;
  }

  /** The picture that could not be written yet. */
  get unsaved(): PendingPicture | undefined {
    return this.#generations.unsaved;
  }

  async handle(message: StudioRequest): Promise<void> {
    const { draft, layers } = this.#inputs;
    switch (message.type) {
      case "ready":
        return this.#fillPage();
      case "draft":
        return draft.handle(message.body.draft);
      case "make":
        return this.#make();
      case "stop":
        return this.#generations.stop();
      case "dismiss":
        return this.#dismiss();
      case "useSuggestion": {
        const prompt = this.#generations.outcome?.suggestion;
        return prompt ? draft.change({ prompt }) : undefined;
      }
      case "strokes":
        return this.#unfinished.paint(message.body.strokes);
      case "new":
        this.#inputs.clear();
        return this.#generations.show(null);
      case "bringBack":
        return this.#inputs.bringBack() ? this.#generations.show(null) : undefined;
      case "search":
        return this.#gallery.search(message.body.text);
      case "saveAgain":
        return this.#saveUnsaved();
      case "addBytes":
        return this.#layersChanged(layers.add(message.body.name, message.body.bytes));
      case "addPicture":
        return this.#addFromGallery(message.body.name);
      case "mask":
        return this.#layersChanged(layers.setMask(message.body.bytes));
      case "replaceLayer":
        return this.#layersChanged(layers.replace(message.body.id, message.body.bytes));
      case "undrawable":
        return this.#layersChanged(layers.refuse(message.body.id));
      case "removeLayer":
        this.#layersChanged(layers.remove(message.body.id));
        return this.#pictureRemoved();
      case "moveLayer":
        layers.move(message.body.id, message.body.to);
        return this.#postState();
      case "reuse":
        return this.#reuse(message.body.name);
      case "want":
        return this.#sendBytes(message.body.of);
      case "items":
        return this.#gallery.items(message.body);
      case "thumb":
        return this.#gallery.saveThumb(message.body);
    }
  }

  /** Shows the pictures of another folder. */
  async show(folder: StudioFolder | undefined): Promise<void> {
    this.#folder = folder;
    this.#postState();
    await this.#gallery.refresh();
  }

  /** Adds pictures to edit. */
  add(pictures: readonly { readonly name: string; readonly data: Uint8Array }[]): void {
    const problems = pictures.map(({ name, data }) => this.#inputs.layers.add(name, data));
    this.#layersChanged(problems.find((problem) => problem !== undefined));
  }

  /** Adds the picture at a web address, and its preview as soon as it is read. */
  async addAddress(address: string): Promise<void> {
    const problem = await this.#deps.addressProblem(address);
    if (problem !== undefined) return this.#layersChanged(problem);
    const { layers } = this.#inputs;
    const url = new URL(address).href;
    const full = layers.addAddress(url);
    this.#layersChanged(full);
    if (full !== undefined) return;
    const preview = await this.#deps.previewOf(url);
    layers.setPreview(url, preview);
    this.#postState();
  }

  /** Restores the pictures and the unfinished work of an earlier session. */
  restore(layers: readonly StoredLayer[], unfinished?: StoredUnfinished): void {
    this.#inputs.layers.restore(layers);
    const lost = unfinished && this.#unfinished.restore(unfinished);
    this.#generations.show(lost ?? this.#generations.outcome);
  }

  /** Opens a picture of the gallery, at once or when the page is ready. */
  reveal(name: string, isPageReady: boolean): void {
    if (isPageReady) this.#deps.post({ v: 1, type: "reveal", name });
    else this.#toReveal = name;
  }

  showNotice(text: string): void {
    this.#generations.show(notice("said", text));
  }

  showError(text: string): void {
    this.#generations.show(notice("failed", text));
  }

  /** The service has changed, or may list other models. */
  async serviceChanged(): Promise<void> {
    const { outcome } = this.#generations;
    // A message about the former service is obsolete.
    if (outcome?.kind === "failed" && outcome !== this.#unfinished.lost) this.#generations.show(null);
    this.#listing.forget();
    await this.#listing.load();
  }

  /** The unsaved picture was saved elsewhere. */
  unsavedStored(path: string): void {
    this.#generations.unsavedStored(path);
  }

  refreshGallery(): Promise<void> {
    return this.#gallery.refresh();
  }

  stop(): void {
    this.#unfinished.leave();
    this.#generations.stop();
  }

  #offer(): Offer | undefined {
    return this.#listing.offer(this.#inputs.draft.value, this.#inputs.layers.all.length);
  }

  /** The inputs with their offer and price. `problem` is empty if they can be sent. */
  #current() {
    const draft = this.#inputs.draft.value;
    const layers = this.#inputs.layers.all;
    const offer = this.#offer();
    const usd = offer && priceOf(offer, draft, layers.length, this.#deps.imageAmount);
    const problem = offer ? requestProblem(offer, draft, layers) : this.#listing.problem;
    return { draft, layers, offer, usd, problem: problem ?? "" };
  }

  #postState(): void {
    const state = toStudioState({
      ...this.#current(),
      isPlayMoney: this.#listing.service?.isSandbox ?? false,
      service: this.#deps.serviceName() ?? "",
      run: this.#generations.run,
      outcome: this.#generations.outcome ?? this.#listing.failure,
      hasEarlier: this.#inputs.hasEarlier,
      folder: this.#folder?.label ?? "",
    });
    this.#deps.post({ v: 1, type: "state", state });
  }

  async #make(): Promise<void> {
    await this.#generations.start(() => this.#prepare());
    const { outcome } = this.#generations;
    this.#refusal = outcome?.kind === "failed" ? outcome : undefined;
  }

  #pictureRemoved(): void {
    const { outcome } = this.#generations;
    if (outcome !== null && outcome === this.#refusal) this.#generations.show(null);
  }

  /** Checks the inputs and confirms the price. Undefined if nothing is to be sent. */
  async #prepare(): Promise<GenerationJob | undefined> {
    // The connection may have changed since the models were loaded.
    const service = await this.#listing.reach();
    const { draft, layers, offer, usd, problem } = this.#current();
    if (!offer || problem !== "") {
      this.showError(problem);
      return undefined;
    }
    const folder = this.#folder ?? (await this.#deps.ensureFolder());
    const hasMask = layers.some(({ isMask }) => isMask);
    if (!folder || !(await this.#deps.confirm(offer.mode, usd, hasMask))) return undefined;
    if (folder !== this.#folder) await this.show(folder);
    return {
      api: service.api,
      service: service.name,
      isPlayMoney: service.isSandbox,
      request: toImageRequest(offer, draft, layers),
      model: offer.model?.id ?? "",
      inputs: layers.map(({ name, url }) => url || name),
      prompt: draft.prompt,
      costUsd: usd,
      gallery: folder.gallery,
    };
  }

  async #fillPage(): Promise<void> {
    const { post } = this.#deps;
    const { strokes } = this.#unfinished;
    if (strokes) post({ v: 1, type: "strokes", strokes });
    this.#postState();
    await this.#gallery.refresh();
    if (this.#toReveal !== undefined) post({ v: 1, type: "reveal", name: this.#toReveal });
    this.#toReveal = undefined;
    if (!this.#listing.service) await this.#listing.load();
  }

  #dismiss(): void {
    if (!this.#generations.run) this.#unfinished.settle();
    this.#listing.dismissFailure();
    this.#generations.show(null);
  }

  async #saveUnsaved(): Promise<void> {
    const folder = this.#folder ?? (await this.#deps.ensureFolder());
    if (folder) await this.#generations.saveUnsaved(folder.gallery);
  }

  async #addFromGallery(name: string): Promise<void> {
    const data = await this.#folder?.gallery.read(name);
    if (data) this.#layersChanged(this.#inputs.layers.add(name, data));
  }

  #layersChanged(problem: string | undefined): void {
    const { outcome } = this.#generations;
    const isOld = outcome !== null && outcome === this.#layerProblem;
    this.#layerProblem = problem === undefined ? undefined : notice("failed", problem);
    this.#generations.show(this.#layerProblem ?? (isOld ? null : outcome));
  }

  async #reuse(name: string): Promise<void> {
    const { facts } = (await this.#folder?.gallery.facts(name)) ?? {};
    if (facts) this.#inputs.reuse(facts);
  }

  async #sendBytes(of: BytesOf): Promise<void> {
    const { unsaved } = this.#generations;
    const { post } = this.#deps;
    if (of.kind === "picture" && of.name === unsaved?.name) {
      return post({ v: 1, type: "bytes", of, data: new Uint8Array(unsaved.data) });
    }
    if (of.kind !== "layer") return this.#gallery.sendBytes(of);
    const layer = this.#inputs.layers.all.find(({ id }) => id === of.name);
    const data = layer && layer.data.byteLength > 0 ? new Uint8Array(layer.data) : null;
    post({ v: 1, type: "bytes", of, data });
  }
}
