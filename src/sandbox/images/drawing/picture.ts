/** A picture in memory. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha, 8 bits each, row by row from the top. */
  readonly data: Uint8ClampedArray;
}

/** Red, green and blue, 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

export function createPicture(width: number, height: number): Picture {
  return { width, height, data: new Uint8ClampedArray(width * height * 4) };
}

export function isOpaque({ data }: Picture): boolean {
  for (let index = 3; index < data.length; index += 4) if (data[index] !== 255) return false;
  return true;
}

/** Mixes a colour into the pixel that starts at `index`. A share of 1 replaces the pixel. */
export function mix(data: Uint8ClampedArray, index: number, [red, green, blue]: Color, share: number): void {
  data[index] = at(data, index) * (1 - share) + red * share;
  data[index + 1] = at(data, index + 1) * (1 - share) + green * share;
  data[index + 2] = at(data, index + 2) * (1 - share) + blue * share;
  data[index + 3] = at(data, index + 3) * (1 - share) + 255 * share;
}

/** Reads a byte without a bounds check, which would be slow. The caller guarantees the bounds. */
export function at(data: Uint8ClampedArray | Uint8Array, index: number): number {
  return data[index] as number;
}
