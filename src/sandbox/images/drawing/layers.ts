import { at, isOpaque, type Picture } from "./picture.ts";

/** Pictures that are laid over the base, and masks that limit the edit. All have the base's size. */
export interface OverlayLayers {
  readonly pictures: readonly Picture[];
  readonly masks: readonly Picture[];
}

/** The least share of black and white pixels in a mask. Its edges may be grey. */
const maskShare = 0.97;

export function sortLayers(pictures: readonly Picture[]): OverlayLayers {
  return {
    pictures: pictures.filter((picture) => !isMask(picture)),
    masks: pictures.filter(isMask),
  };
}

function isMask(picture: Picture): boolean {
  const { data } = picture;
  let extreme = 0;
  for (let index = 0; index < data.length; index += 4) {
    const [red, green, blue] = [at(data, index), at(data, index + 1), at(data, index + 2)];
    const lowest = Math.min(red, green, blue);
    const highest = Math.max(red, green, blue);
    if (highest - lowest < 24 && (highest < 40 || lowest > 215)) extreme += 1;
  }
  return extreme >= (data.length / 4) * maskShare && isOpaque(picture);
}

/** Lays every picture over the base, by its alpha. An opaque one is half transparent if there is no mask. */
export function stack(base: Picture, { pictures, masks }: OverlayLayers): Picture {
  return pictures.reduce((below, picture) => {
    const share = masks.length === 0 && isOpaque(picture) ? 0.5 : 1;
    return over(below, picture, (index) => (at(picture.data, index + 3) / 255) * share);
  }, base);
}

/** `edited` where a mask is white, `base` where all masks are black. Without masks, `edited`. */
export function within(masks: readonly Picture[], base: Picture, edited: Picture): Picture {
  if (masks.length === 0) return edited;
  return over(base, edited, (index) => Math.max(...masks.map(({ data }) => at(data, index))) / 255);
}

function over(below: Picture, above: Picture, shareAt: (index: number) => number): Picture {
  const data = new Uint8ClampedArray(below.data);
  for (let index = 0; index < data.length; index += 4) {
    const share = shareAt(index);
    for (let channel = index; channel < index + 3; channel++) {
      data[channel] = at(below.data, channel) * (1 - share) + at(above.data, channel) * share;
    }
    data[index + 3] = Math.max(at(below.data, index + 3), share * 255);
  }
  return { width: below.width, height: below.height, data };
}
