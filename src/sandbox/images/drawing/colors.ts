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

/** Hue in degrees, saturation and lightness 0 to 1, of channels from 0 to 255. */
export function toHsl(red: number, green: number, blue: number): Color {
  const [high, low] = [Math.max(red, green, blue) / 255, Math.min(red, green, blue) / 255];
  const lightness = (high + low) / 2;
  const reach = high - low;
  if (reach === 0) return [0, 0, lightness];
  const saturation = reach / (1 - Math.abs(2 * lightness - 1));
  const parts: Color = [
    (green - blue) / 255 / reach,
    (blue - red) / 255 / reach + 2,
    (red - green) / 255 / reach + 4,
  ];
  const sixth = high === red / 255 ? parts[0] : high === green / 255 ? parts[1] : parts[2];
  return [(sixth * 60 + 360) % 360, saturation, lightness];
}
