import { useEffect, useState } from "preact/hooks";

interface Tint {
  readonly name: string;
  readonly rgb: readonly [red: number, green: number, blue: number];
}

/** Colours of a mask. The first is the usual one. */
const pink: Tint = { name: "pink", rgb: [255, 0, 100] };
const tints: readonly Tint[] = [
  pink,
  { name: "green", rgb: [0, 190, 80] },
  { name: "blue", rgb: [30, 110, 255] },
];

/** The colours of the picture are compared in this many pixels on each side. */
const samplePx = 24;

/** A colour of the mask, as CSS. */
export interface MaskColour {
  readonly name: string;
  readonly css: string;
  /** Changes to the next colour. */
  next(): void;
}

/** The colour that differs most from the picture at its address, until the user takes another one. */
export function useMaskColour(url: string | null | undefined): MaskColour {
  const [best, setBest] = useState(0);
  const [steps, setSteps] = useState(0);
  useEffect(() => {
    if (!url) return;
    void bestTint(url).then(setBest, () => setBest(0));
  }, [url]);
  const { name, rgb } = tints[(best + steps) % tints.length] ?? pink;
  return { name, css: `rgb(${rgb.join(" ")})`, next: () => setSteps(steps + 1) };
}

async function bestTint(url: string): Promise<number> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const context = new OffscreenCanvas(samplePx, samplePx).getContext("2d");
  if (!context) return 0;
  context.drawImage(image, 0, 0, samplePx, samplePx);
  return contrasting(context.getImageData(0, 0, samplePx, samplePx).data);
}

/** The index of the colour that is seen best on these pixels, four bytes each. */
export function contrasting(pixels: Uint8ClampedArray): number {
  const scores = tints.map(({ rgb }) => {
    let near = 0;
    for (let index = 0; index < pixels.length; index += 4) {
      const apart = rgb.reduce((sum, level, part) => sum + Math.abs(level - (pixels[index + part] ?? 0)), 0);
      // What is close counts: a part of the picture in the colour of the mask hides it.
      near += Math.max(0, 300 - apart);
    }
    return near;
  });
  return scores.indexOf(Math.min(...scores));
}
