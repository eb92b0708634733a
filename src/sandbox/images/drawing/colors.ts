import type { Color } from "./picture.ts";

/** Hues in degrees. */
const hues: Readonly<Record<string, number>> = {
  red: 0,
  sunset: 20,
  orange: 28,
  yellow: 52,
  green: 125,
  sea: 195,
  blue: 220,
  night: 235,
  purple: 280,
  pink: 325,
};

/** The hue of the first colour that a text names. */
export function hueOf(text: string): number | undefined {
  const named = text
    .toLowerCase()
    .match(/\p{L}+/gu)
    ?.find((word) => Object.hasOwn(hues, word));
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
