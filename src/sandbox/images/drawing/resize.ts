import { at, createPicture, type Picture } from "./picture.ts";
import type { Size } from "./size.ts";

/** Crops the picture around its centre to the aspect ratio of `size`, and scales it. */
export function cover(picture: Picture, size: Size): Picture {
  const scale = Math.max(size.width / picture.width, size.height / picture.height);
  const span = { width: size.width / scale, height: size.height / scale };
  const left = (picture.width - span.width) / 2;
  const top = (picture.height - span.height) / 2;
  return resample(picture, { left, top, ...span }, size);
}

export function resize(picture: Picture, size: Size): Picture {
  return resample(picture, { left: 0, top: 0, width: picture.width, height: picture.height }, size);
}

interface Region extends Size {
  readonly left: number;
  readonly top: number;
}

/** The source pixels of one target pixel, with their weights. */
interface Taps {
  readonly first: number;
  readonly weights: readonly number[];
}

/** Colours are weighted by alpha, so that transparent pixels leave no dark edge. */
function resample(picture: Picture, region: Region, size: Size): Picture {
  const columns = tapsOf(region.left, region.width, size.width, picture.width);
  const rows = tapsOf(region.top, region.height, size.height, picture.height);
  const result = createPicture(size.width, size.height);
  const row = new Float32Array(picture.width * 4);
  for (const [y, taps] of rows.entries()) {
    sumRows(picture, taps, row);
    for (const [x, columnTaps] of columns.entries()) {
      writePixel(row, columnTaps, result.data, (y * size.width + x) * 4);
    }
  }
  return result;
}

/** Enlarging interpolates between two neighbours. Shrinking averages all pixels within one. */
function tapsOf(start: number, span: number, count: number, limit: number): Taps[] {
  const step = span / count;
  const reach = Math.max(1, step);
  return Array.from({ length: count }, (_, index) => {
    const center = start + (index + 0.5) * step;
    const first = Math.max(0, Math.ceil(center - reach - 0.5));
    const last = Math.min(limit - 1, Math.floor(center + reach - 0.5));
    const weights: number[] = [];
    for (let pixel = first; pixel <= last; pixel++) {
      weights.push(Math.max(0, 1 - Math.abs(pixel + 0.5 - center) / reach));
    }
    const sum = weights.reduce((total, weight) => total + weight, 0);
    if (sum === 0) return { first: Math.min(limit - 1, Math.max(0, Math.floor(center))), weights: [1] };
    return { first, weights: weights.map((weight) => weight / sum) };
  });
}

function sumRows({ width, data }: Picture, { first, weights }: Taps, row: Float32Array): void {
  row.fill(0);
  weights.forEach((weight, offset) => {
    const from = (first + offset) * width * 4;
    for (let index = 0; index < row.length; index += 4) {
      const alpha = at(data, from + index + 3) * weight;
      for (let channel = 0; channel < 3; channel++) {
        row[index + channel] = (row[index + channel] as number) + at(data, from + index + channel) * alpha;
      }
      row[index + 3] = (row[index + 3] as number) + alpha;
    }
  });
}

function writePixel(row: Float32Array, { first, weights }: Taps, to: Uint8ClampedArray, index: number): void {
  let red = 0;
  let green = 0;
  let blue = 0;
  let alpha = 0;
  for (let tap = 0; tap < weights.length; tap++) {
    const weight = weights[tap] as number;
    const from = (first + tap) * 4;
    red += (row[from] as number) * weight;
    green += (row[from + 1] as number) * weight;
    blue += (row[from + 2] as number) * weight;
    alpha += (row[from + 3] as number) * weight;
  }
  const part = alpha === 0 ? 0 : 1 / alpha;
  to[index] = red * part;
  to[index + 1] = green * part;
  to[index + 2] = blue * part;
  to[index + 3] = alpha;
}
