import { type ImageHead, imageSize } from "../../../../api/imageSize.ts";
import { maxLayers, pictureProblem, undrawablePicture } from "../../../../shared/images/imageBounds.ts";
import { type ImageFormat, imageFormatOf } from "../../../../shared/images/imageFormats.ts";
import { type Layer, type LayerPixels, maskName } from "../../../protocol/studioState.ts";
import { type AddressPreview, nameOfAddress } from "../addressPicture.ts";
import type { LayerFile } from "../requests/imageRequest.ts";
import type { StoredLayer } from "./layerStore.ts";

/** The pictures to edit; the first is the base. */
export interface Layers {
  readonly all: readonly LayerFile[];
  /** Undefined on success, else an error sentence. */
  add(name: string, data: Uint8Array): string | undefined;
  /** Adds the picture at an address, without its preview. */
  addAddress(url: string): string | undefined;
  /** The preview of each picture at this address. */
  setPreview(url: string, preview: AddressPreview): void;
  /** Replaces the mask, or adds one after the pictures. */
  setMask(data: Uint8Array): string | undefined;
  replace(id: string, data: Uint8Array): undefined;
  /** The page can't draw this layer, so it can't be sent. */
  refuse(id: string): undefined;
  remove(id: string): undefined;
  move(id: string, to: number): void;
  clear(): void;
  /** Restores the pictures of an earlier session, unless others were added meanwhile. */
  restore(stored: readonly StoredLayer[]): void;
}

/** `most` returns the current limit; `changed` is called with all layers after each change except `restore`. */
export function createLayers(
  most: () => number,
  changed: (all: readonly LayerFile[]) => void = () => {},
  newId: () => string = () => crypto.randomUUID(),
): Layers {
  let all: readonly LayerFile[] = [];
  const setAll = (next: readonly LayerFile[]) => {
    all = next;
    changed(all);
  };
  const full = () =>
    all.length < most()
      ? undefined
      : `An edit takes at most ${most()} ${most() === 1 ? "picture" : "pictures"}, the mask included. Remove one first.`;
  return {
    get all() {
      return all;
    },
    add(name, data) {
      const problem = full();
      if (problem === undefined) setAll([...all, toLayer(newId(), name, data, false)]);
      return problem;
    },
    addAddress(url) {
      const problem = full();
      if (problem === undefined) setAll([...all, toAddress(newId(), url, { note: "" })]);
      return problem;
    },
    setPreview(url, preview) {
      // A new id, as in `replace`.
      setAll(all.map((each) => (each.url === url ? toAddress(newId(), url, preview) : each)));
    },
    setMask(data) {
      const mask = all.find(({ isMask }) => isMask);
      const problem = mask ? undefined : full();
      if (problem !== undefined) return problem;
      const layer = toLayer(newId(), maskName, data, true);
      setAll(mask ? all.map((each) => (each === mask ? layer : each)) : [...all, layer]);
      return undefined;
    },
    replace(id, data) {
      // A new id invalidates the cached bytes of views.
      const next = all.map((each) =>
        each.id === id ? { ...toLayer(newId(), each.name, data, each.isMask), note: movingNote(each) } : each,
      );
      const [base] = next;
      // A mask of an earlier version was painted over the picture as it was stored, not as it is seen.
      setAll(
        all[0]?.id === id && base ? next.filter((each) => !each.isMask || isSameShape(each, base)) : next,
      );
    },
    refuse(id) {
      setAll(all.map((each) => (each.id === id && each.pixels === "redraw" ? toRefused(each) : each)));
    },
    remove(id) {
      const [first] = all;
      const rest = all.filter((each) => each.id !== id);
      // A mask belongs to the picture that it was painted over.
      setAll(first?.id === id ? rest.filter(({ isMask }) => !isMask) : rest);
    },
    move(id, to) {
      const moved = all.find((layer) => layer.id === id);
      if (!moved) return;
      const rest = all.filter((layer) => layer !== moved);
      setAll([...rest.slice(0, to), moved, ...rest.slice(to)]);
    },
    clear() {
      setAll([]);
    },
    restore(stored) {
      if (all.length > 0) return;
      all = stored
        .slice(0, maxLayers)
        .map(({ id, name, data, isMask, url = "" }) =>
          url === "" ? toLayer(id, name, data, isMask) : toAddress(id, url, { data }),
        );
    },
  };
}

/** A layer for the view, without its content. */
export function toView({ data: _, mediaType: __, ...layer }: LayerFile): Layer {
  return layer;
}

/** The service reads what is at the address, so its pixels are not converted here. */
function toAddress(id: string, url: string, preview: AddressPreview): LayerFile {
  const data = "data" in preview ? preview.data : new Uint8Array();
  const layer = toLayer(id, nameOfAddress(url), data, false);
  const problem = data.byteLength > 0 ? layer.problem : "";
  return {
    ...layer,
    url,
    note: "note" in preview ? preview.note : "",
    problem,
    pixels: "plain",
    conversion: "none",
  };
}

function toLayer(id: string, name: string, data: Uint8Array, isMask: boolean): LayerFile {
  const head = imageSize(data);
  const format = data.byteLength > 0 ? imageFormatOf(data) : undefined;
  const problem = pictureProblem(head, data.byteLength, format) ?? "";
  return {
    id,
    name,
    width: head?.width ?? 0,
    height: head?.height ?? 0,
    bytes: data.byteLength,
    isMask,
    url: "",
    note: "",
    problem,
    conversion: conversionOf(problem, head, format),
    pixels: problem === "" ? pixelsOf(head) : "plain",
    data,
    mediaType: head ? `image/${head.type}` : "",
  };
}

function pixelsOf(head: ImageHead | undefined): LayerPixels {
  if (!head) return "plain";
  return head.isTurned || head.rare || head.hasOwnColours || head.frames ? "redraw" : "plain";
}

/** What the page can do about a picture that breaks a rule. */
function conversionOf(
  problem: string,
  head: ImageHead | undefined,
  format: ImageFormat | undefined,
): Layer["conversion"] {
  if (problem === "" || !format?.isDrawn) return "none";
  return head && format.isSent ? "fit" : "convert";
}

/** Only the first picture of one that moves can be edited. */
function movingNote({ data }: LayerFile): string {
  const frames = data.byteLength > 0 ? (imageSize(data)?.frames ?? 1) : 1;
  return frames > 1 ? `the first of ${frames.toLocaleString("en-US")} pictures that move` : "";
}

function toRefused(layer: LayerFile): LayerFile {
  const rare = imageSize(layer.data)?.rare;
  return {
    ...layer,
    pixels: "undrawable",
    conversion: "none",
    problem: undrawablePicture(rare && `a ${rare} JPEG`),
  };
}

/** Sizes that were scaled differ by a pixel. */
function isSameShape(one: Layer, other: Layer): boolean {
  return Math.abs(one.width * other.height - other.width * one.height) <= Math.max(one.width, one.height) * 2;
}
