import { useEffect, useRef } from "preact/hooks";
import { Facts } from "./PicturePanel.tsx";
import { usePicture } from "./pictureStore.ts";
import type { StudioModel } from "./studioModel.ts";

interface CompareProps {
  readonly model: StudioModel;
  readonly names: readonly [string, string];
}

/** Two pictures beside each other, or below where there is no room. */
export function ComparePanel({ model, names }: CompareProps) {
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
      aria-label="Two pictures compared"
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
      }}
    >
      <header>
        <button type="button" class="button" onClick={close}>
          ← Gallery
        </button>
        <h2>Compare</h2>
      </header>
      <div class="pair">
        {names.map((name) => (
          <One key={name} model={model} name={name} />
        ))}
      </div>
    </article>
  );
}

function One({ model, name }: { readonly model: StudioModel; readonly name: string }) {
  const url = usePicture(model.store, "picture", name);
  const facts = model.itemOf(name)?.facts;
  return (
    <figure>
      {url && <img src={url} alt={facts?.prompt ?? name} />}
      <figcaption>
        <strong>{name}</strong>
        {facts && <Facts facts={facts} />}
      </figcaption>
    </figure>
  );
}
