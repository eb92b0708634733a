/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** spec E5, E13, without `auto`. */
export const ratios = ["1:1", "3:2", "16:9", "21:9", "9:16", "2:3", "3:4", "4:5"] as const;

/** The edge of a square in pixels. */
const edges: Readonly<Record<string, number>> = { "1K": 1024, "2K": 2048, "4K": 4096 };

/** The size with exactly this ratio and about as many pixels as a square of the resolution. */
export function sizeOf(ratio: string, resolution: string): Size {
  const [across, down] = partsOf(ratio);
  const edge = edges[resolution] ?? 1024;
  const unit = Math.round(edge / Math.sqrt(across * down));
  return { width: across * unit, height: down * unit };
}

/** The size with the aspect ratio of a picture and about as many pixels as a square of the resolution. */
export function sizeLike({ width, height }: Size, resolution: string): Size {
  const scale = (edges[resolution] ?? 1024) / Math.sqrt(width * height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** The ratio of a list that is closest to that of a picture (spec E5, `auto`). */
export function closestRatio({ width, height }: Size, list: readonly string[]): string {
  const wanted = Math.log(width / height);
  const distance = (ratio: string) => {
    const [across, down] = partsOf(ratio);
    return Math.abs(Math.log(across / down) - wanted);
  };
  return list.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best));
}

function partsOf(ratio: string): readonly [number, number] {
  const [across = 1, down = 1] = ratio.split(":").map(Number);
  return [across, down];
}
