import { imageSize } from "../../api/imageSize.ts";
import { maxLayers, pictureProblem } from "../../shared/imageBounds.ts";
import type { Layer } from "../../shared/studioState.ts";
import type { LayerFile } from "./imageRequest.ts";

/** Up to three pictures that are to be edited; the first is the base. */
export interface Layers {
  readonly all: readonly LayerFile[];
  /** Undefined once it is added, else the sentence that says why it is not. */
  add(name: string, data: Uint8Array): string | undefined;
  /** Puts a mask in place of the one that is there, or behind the pictures. */
  setMask(data: Uint8Array): string | undefined;
  replace(id: string, data: Uint8Array): void;
  remove(id: string): void;
  move(id: string, to: number): void;
  clear(): void;
}

export function createLayers(newId: () => string = () => crypto.randomUUID()): Layers {
  let all: readonly LayerFile[] = [];
  const full = `An edit takes at most ${maxLayers} pictures, the mask included. Remove one first.`;
  return {
    get all() {
      return all;
    },
    add(name, data) {
      if (all.length >= maxLayers) return full;
      all = [...all, toLayer(newId(), name, data, false)];
      return undefined;
    },
    setMask(data) {
      const mask = all.find(({ isMask }) => isMask);
      if (!mask && all.length >= maxLayers) return full;
      const layer = toLayer(newId(), "Mask", data, true);
      all = mask ? all.map((one) => (one === mask ? layer : one)) : [...all, layer];
      return undefined;
    },
    replace(id, data) {
      // A new id: whoever shows the old bytes has to ask for the new ones.
      all = all.map((one) => (one.id === id ? toLayer(newId(), one.name, data, one.isMask) : one));
    },
    remove(id) {
      const [first] = all;
      all = all.filter((one) => one.id !== id);
      // A mask belongs to the picture that it was painted over.
      if (first?.id === id) all = all.filter(({ isMask }) => !isMask);
    },
    move(id, to) {
      const one = all.find((layer) => layer.id === id);
      if (!one) return;
      const rest = all.filter((layer) => layer !== one);
      all = [...rest.slice(0, to), one, ...rest.slice(to)];
    },
    clear() {
      all = [];
    },
  };
}

/** A layer as the view is told of it: without its content. */
export function toView({ id, name, width, height, bytes, isMask, problem }: LayerFile): Layer {
  return { id, name, width, height, bytes, isMask, problem };
}

function toLayer(id: string, name: string, data: Uint8Array, isMask: boolean): LayerFile {
  const head = imageSize(data);
  return {
    id,
    name,
    width: head?.width ?? 0,
    height: head?.height ?? 0,
    bytes: data.byteLength,
    isMask,
    problem: pictureProblem(head, data.byteLength) ?? "",
    data,
    mediaType: head ? `image/${head.type}` : "",
  };
}
