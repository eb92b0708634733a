import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { maxSkipReason } from "../../../protocol/chatMessages.ts";

interface SkipReasonProps {
  readonly onSkip: (reason: string) => void;
  readonly onBack: () => void;
}

/**
 * A field for the reason that a call is skipped, in the place of the other decisions. All its keys stay in it: with an empty
 * field, Ctrl+Enter would otherwise allow the call.
 */
export function SkipReason({ onSkip, onBack }: SkipReasonProps): JSX.Element {
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  const skip = () => onSkip(box.current?.value ?? "");
  const onKeyDown = (event: KeyboardEvent) => {
    // During IME composition, the keys belong to the input method.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key !== "Escape" && (event.key !== "Enter" || event.shiftKey)) return;
    event.preventDefault();
    if (event.repeat) return;
    if (event.key === "Escape") onBack();
    else skip();
  };
  return (
    <div class="skip-reason">
      <textarea
        ref={box}
        rows={2}
        dir="auto"
        maxLength={maxSkipReason}
        aria-label="Why the call is skipped, for the model"
        placeholder="What should it do instead?"
        aria-keyshortcuts="Enter"
        onKeyDown={onKeyDown}
      />
      <div class="buttons">
        <button type="button" class="button primary" onClick={skip}>
          Skip
          <span class="key" aria-hidden="true">
            Enter
          </span>
        </button>
        <button type="button" class="button" aria-keyshortcuts="Escape" onClick={onBack}>
          Back
        </button>
      </div>
    </div>
  );
}
