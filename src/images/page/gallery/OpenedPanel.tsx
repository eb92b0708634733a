import type { ComponentChildren } from "preact";
import { useDialog } from "../../../webview/ui/dialog.ts";
import type { StudioModel } from "../studioModel.ts";

interface PanelProps {
  readonly model: StudioModel;
  readonly title: string;
  /** Announced when it opens. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A view in place of the grid; a click or Escape returns to it. */
export function OpenedPanel({ model, title, label, children }: PanelProps) {
  const close = () => {
    model.opened.value = undefined;
  };
  const dialog = useDialog({ onClose: close, focus: ".picture" });
  return (
    <article ref={dialog.ref} class="picture" tabIndex={-1} aria-label={label} onKeyDown={dialog.handle}>
      <header>
        <button type="button" class="button" onClick={close}>
          ← Gallery
        </button>
        <h2>{title}</h2>
      </header>
      {children}
    </article>
  );
}
