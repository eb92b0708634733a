import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { StudioModel } from "./studioModel.ts";

interface PanelProps {
  readonly model: StudioModel;
  readonly title: string;
  /** Announced when it opens. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A view in place of the grid; a click or Escape returns to it. */
export function OpenedPanel({ model, title, label, children }: PanelProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  const close = () => {
    model.opened.value = undefined;
  };
  return (
    <article
      ref={panel}
      class="picture"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
      }}
    >
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
