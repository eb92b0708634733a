import type { JSX } from "preact";
import { useState } from "preact/hooks";

const feedbackMs = 1500;

/** A button that copies a text and shows the result. */
export function Copy({
  text,
  what,
  label,
}: {
  readonly text: () => string;
  readonly what: string;
  readonly label?: string;
}): JSX.Element {
  const [feedback, setFeedback] = useState<string>();
  const report = (words: string) => {
    setFeedback(words);
    setTimeout(() => setFeedback(undefined), feedbackMs);
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      report("Copied");
    } catch {
      report("Could not copy");
    }
  };
  const words = feedback ?? label;
  return (
    <button
      type="button"
      class={label ? "button" : "icon-button"}
      title={`Copy ${what}`}
      aria-label={feedback ?? `Copy ${what}`}
      onClick={() => void copy()}
    >
      {words ?? (
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
          <path d="M5.5 5.5h7v8h-7zM3.5 10.5v-8h7" fill="none" stroke="currentColor" />
        </svg>
      )}
    </button>
  );
}
