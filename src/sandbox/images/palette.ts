import { hashOf } from "../ids.ts";
import type { Color } from "./picture.ts";

/** The colours of one scene. */
export interface Palette {
  readonly skyTop: Color;
  readonly skyBottom: Color;
  readonly light: Color;
  /** From the far end to the near. */
  readonly hills: readonly Color[];
  readonly dark: boolean;
}

/** Words that name a colour, or something of that colour: their hue in degrees. */
const hues: Readonly<Record<string, number>> = {
  red: 0,
  fire: 12,
  sunset: 20,
  autumn: 25,
  orange: 28,
  desert: 36,
  gold: 45,
  yellow: 52,
  grass: 100,
  green: 125,
  forest: 140,
  teal: 175,
  sea: 195,
  ocean: 203,
  sky: 208,
  blue: 220,
  night: 235,
  space: 255,
  purple: 280,
  pink: 325,
  rose: 342,
};
const darkWords = new Set(["night", "space", "dark", "moon", "stars", "storm"]);
const hillCount = 5;

export function paletteOf(prompt: string): Palette {
  const words = prompt.toLowerCase().match(/\p{L}+/gu) ?? [];
  const hue = hueOf(words) ?? hashOf(prompt) % 360;
  const dark = words.some((word) => darkWords.has(word));
  const [top, bottom, far, near] = dark ? [0.08, 0.3, 0.3, 0.05] : [0.58, 0.88, 0.66, 0.2];
  const hills = Array.from({ length: hillCount }, (_, index) => {
    const depth = index / (hillCount - 1);
    return fromHsl(hue + 150 - depth * 40, 0.42, far + (near - far) * depth);
  });
  return {
    skyTop: fromHsl(hue, 0.62, top),
    skyBottom: fromHsl(hue + 35, 0.75, bottom),
    light: fromHsl(hue + 45, 0.9, dark ? 0.86 : 0.94),
    hills,
    dark,
  };
}

/** The hue that a text's words name; undefined where they name none. */
export function hueOf(words: readonly string[]): number | undefined {
  const named = words.find((word) => Object.hasOwn(hues, word));
  return named === undefined ? undefined : hues[named];
}

/** Hue in degrees, saturation and lightness 0 to 1. */
export function fromHsl(hue: number, saturation: number, lightness: number): Color {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const turn = (((offset + hue / 30) % 12) + 12) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}
