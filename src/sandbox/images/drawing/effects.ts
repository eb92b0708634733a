import { hashOf } from "../../state/ids.ts";
import { fromHsl, hueOf } from "./colors.ts";
import { at, type Color, type Picture } from "./picture.ts";
import { resize } from "./resize.ts";

type Effect = (picture: Picture) => Picture;

/** Changes that words of a prompt make. */
const effects: readonly { readonly words: RegExp; readonly effect: Effect }[] = [
  { words: /\b(gr[ae]y ?scale|gr[ae]y|black and white|monochrome)\b/, effect: perPixel(grey) },
  { words: /\b(invert(ed)?|negative)\b/, effect: perPixel(([r, g, b]) => [255 - r, 255 - g, 255 - b]) },
  { words: /\b(bright(er)?|light(er)?)\b/, effect: perPixel((color) => toned(color, 1.35)) },
  { words: /\bdark(er)?\b/, effect: perPixel((color) => toned(color, 0.6)) },
  { words: /\b(flip(ped)?|mirror(ed)?)\b/, effect: mirrored },
  { words: /\b(blur(red|ry)?|soft(en)?)\b/, effect: coarsened(16) },
];
const tintShare = 0.35;

/** The picture changed by the prompt's words; undefined if none of them is known. */
export function changedBy(prompt: string, picture: Picture): Picture | undefined {
  const words = prompt.toLowerCase();
  const found = effects.filter((row) => row.words.test(words));
  const hue = hueOf(words);
  if (found.length === 0 && hue === undefined) return undefined;
  const changed = found.reduce((result, row) => row.effect(result), picture);
  return hue === undefined ? changed : tinted(changed, hue);
}

/** The picture tinted in a colour that depends on the prompt. */
export function tintedBy(prompt: string, picture: Picture): Picture {
  return tinted(picture, hashOf(prompt) % 360);
}

/** Reduces detail: `low` keeps a quarter of the resolution, `medium` a half. */
export function lowered(picture: Picture, quality: "low" | "medium" | "high" | undefined): Picture {
  if (quality === "low") return coarsened(4)(picture);
  return quality === "medium" ? coarsened(2)(picture) : picture;
}

function tinted(picture: Picture, hue: number): Picture {
  const veil = fromHsl(hue, 0.8, 0.5);
  const share = (value: number, channel: number) =>
    value * (1 - tintShare) + (veil[channel] ?? 0) * tintShare;
  return perPixel(([r, g, b]) => [share(r, 0), share(g, 1), share(b, 2)])(picture);
}

function grey([red, green, blue]: Color): Color {
  const light = 0.299 * red + 0.587 * green + 0.114 * blue;
  return [light, light, light];
}

function toned([red, green, blue]: Color, factor: number): Color {
  return [red * factor, green * factor, blue * factor];
}

function perPixel(change: (color: Color) => Color): Effect {
  return ({ width, height, data }) => {
    const changed = new Uint8ClampedArray(data);
    for (let index = 0; index < data.length; index += 4) {
      const [red, green, blue] = change([at(data, index), at(data, index + 1), at(data, index + 2)]);
      changed[index] = red; // one `set` of all three takes several times as long
      changed[index + 1] = green;
      changed[index + 2] = blue;
    }
    return { width, height, data: changed };
  };
}

function mirrored({ width, height, data }: Picture): Picture {
  const pixels = new Uint32Array(data.slice().buffer);
  for (let row = 0; row < height; row++) pixels.subarray(row * width, (row + 1) * width).reverse();
  return { width, height, data: new Uint8ClampedArray(pixels.buffer) };
}

/** Shrunk by a factor and enlarged again. */
function coarsened(factor: number): Effect {
  return (picture) => resize(resize(picture, divided(picture, factor)), picture);
}

/** Pixels along the shorter edge: enough for the colours, too few to recognise anything. */
const blurredEdge = 12;

export function blur(picture: Picture): Picture {
  return coarsened(Math.min(picture.width, picture.height) / blurredEdge)(picture);
}

function divided({ width, height }: Picture, factor: number) {
  return { width: Math.ceil(width / factor), height: Math.ceil(height / factor) };
}
