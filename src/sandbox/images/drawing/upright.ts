import { isQuarterTurn } from "../../../shared/images/imageOrientation.ts";
import type { Orientation } from "../../../shared/images/isobmffOrientation.ts";
import { createPicture, type Picture } from "./picture.ts";

/** The picture of stored pixels, turned and mirrored by their orientation (TIFF 6.0, tag 274). */
export function upright(stored: Picture, orientation: Orientation): Picture {
  if (orientation === 1) return stored;
  const { width, height } = stored;
  const turned = isQuarterTurn(orientation) ? createPicture(height, width) : createPicture(width, height);
  const from = new Uint32Array(stored.data.buffer, stored.data.byteOffset, width * height);
  const to = new Uint32Array(turned.data.buffer);
  const { start, perColumn, perRow } = steps[orientation](width, height);
  let index = 0;
  for (let row = 0; row < turned.height; row++) {
    for (let column = 0; column < turned.width; column++)
      to[index++] = from[start + column * perColumn + row * perRow] as number;
  }
  return turned;
}

interface Steps {
  /** The stored pixel that is shown top left. */
  readonly start: number;
  /** Stored pixels from a shown pixel to the one at its right, and to the one below. */
  readonly perColumn: number;
  readonly perRow: number;
}

/** By width and height as they are stored. */
const steps: Readonly<Record<Orientation, (width: number, height: number) => Steps>> = {
  1: (width) => ({ start: 0, perColumn: 1, perRow: width }),
  2: (width) => ({ start: width - 1, perColumn: -1, perRow: width }),
  3: (width, height) => ({ start: width * height - 1, perColumn: -1, perRow: -width }),
  4: (width, height) => ({ start: width * (height - 1), perColumn: 1, perRow: -width }),
  5: (width) => ({ start: 0, perColumn: width, perRow: 1 }),
  6: (width, height) => ({ start: width * (height - 1), perColumn: -width, perRow: 1 }),
  7: (width, height) => ({ start: width * height - 1, perColumn: -width, perRow: -1 }),
  8: (width) => ({ start: width - 1, perColumn: width, perRow: -1 }),
};
