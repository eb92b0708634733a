import { OpenedPanel } from "./OpenedPanel.tsx";
import { Facts } from "./PicturePanel.tsx";
import { usePicture } from "./pictureStore.ts";
import type { StudioModel } from "./studioModel.ts";

interface CompareProps {
  readonly model: StudioModel;
  readonly names: readonly [string, string];
}

/** Two pictures beside each other, or below where there is no room. */
export function ComparePanel({ model, names }: CompareProps) {
  return (
    <OpenedPanel model={model} title="Compare" label="Two pictures compared">
      <div class="pair">
        {names.map((name) => (
          <One key={name} model={model} name={name} />
        ))}
      </div>
    </OpenedPanel>
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
