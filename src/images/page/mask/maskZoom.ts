import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { placeOf, scrollTo } from "../scrollPlace.ts";

/** Factors over the size that fits into the view. */
const factors = [1, 1.5, 2, 3, 4, 6, 8];

/** The enlargement of the picture under a mask. */
export interface Zoom {
  readonly factor: number;
  readonly isLeast: boolean;
  readonly isMost: boolean;
  /** The width of the picture; none while it fits. */
  readonly style: { readonly width?: string };
  readonly keys: Readonly<Record<"+" | "=" | "-" | "0", () => void>>;
}

/** Enlarges about the middle of what is seen. The canvas is in an element that has the style, in one that scrolls. */
export function useZoom(canvas: RefObject<HTMLCanvasElement | null>): Zoom {
  const [factor, setFactor] = useState(1);
  const fitPx = useRef(0);
  const middle = useRef<readonly [number, number]>([0.5, 0.5]);
  const frame = () => canvas.current?.parentElement?.parentElement;
  const change = (next: number | undefined) => {
    if (next === undefined || !canvas.current) return;
    if (factor === 1) fitPx.current = canvas.current.clientWidth;
    const scrolled = frame();
    if (scrolled) middle.current = placeOf(scrolled);
    setFactor(next);
  };
  useLayoutEffect(() => {
    const scrolled = frame();
    if (scrolled) scrollTo(scrolled, middle.current);
  }, [factor]);
  const larger = () => change(factors[factors.indexOf(factor) + 1]);
  return {
    factor,
    isLeast: factor === factors[0],
    isMost: factor === factors.at(-1),
    style: factor === 1 ? {} : { width: `${fitPx.current * factor}px` },
    keys: {
      "+": larger,
      "=": larger,
      "-": () => change(factors[factors.indexOf(factor) - 1]),
      "0": () => change(1),
    },
  };
}
