import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

type Box = HTMLInputElement | HTMLTextAreaElement;

/** Attributes of a box, in place of its `value`. */
export interface TypedText<Of extends Box> {
  readonly ref: RefObject<Of | null>;
  readonly onInput: () => void;
  readonly onBlur: () => void;
}

/**
 * Shows `value` in a box, but never over what is being typed there: the page is drawn anew whenever it hears something,
 * and what was typed is told only once the box is left.
 */
export function useTypedText<Of extends Box>(value: string): TypedText<Of> {
  const ref = useRef<Of>(null);
  const isTyped = useRef(false);
  const show = () => {
    if (ref.current) ref.current.value = value;
    isTyped.current = false;
  };
  useLayoutEffect(() => {
    if (!isTyped.current || ref.current !== document.activeElement) show();
  }, [value]);
  return {
    ref,
    onInput() {
      isTyped.current = true;
    },
    onBlur() {
      // What was typed has been told, and comes back as the value.
      if (!isTyped.current) show();
    },
  };
}
