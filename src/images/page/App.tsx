import { useEffect } from "preact/hooks";
import { maxLayers } from "../../shared/images/imageBounds.ts";
import { dropped, pastedFiles } from "../../webview/ui/transferredFiles.ts";
import { ComparePanel } from "./gallery/ComparePanel.tsx";
import { GalleryGrid } from "./gallery/GalleryGrid.tsx";
import { PicturePanel } from "./gallery/PicturePanel.tsx";
import { keepFocus } from "./keepFocus.ts";
import { LayerList } from "./mask/LayerList.tsx";
import { MaskPainter } from "./mask/MaskPainter.tsx";
import { OutcomeNote } from "./OutcomeNote.tsx";
import { PromptForm } from "./PromptForm.tsx";
import type { StudioModel } from "./studioModel.ts";

export function StudioApp({ model }: { readonly model: StudioModel }) {
  useEffect(() => takeHanded(model), []);
  useEffect(keepFocus, []);
  const state = model.state.value;
  if (!state) return <main class="studio" />;
  const base = state.layers[0];
  return (
    <main class="studio">
      <section class="making" aria-label="Make a picture">
        <PromptForm model={model} state={state} />
        <OutcomeNote model={model} state={state} />
        <LayerList model={model} state={state} />
      </section>
      <section class="kept" aria-label="Pictures">
        {model.isPainting.value && base ? (
          <MaskPainter key={base.id} model={model} base={base} />
        ) : (
          <Stored model={model} />
        )}
      </section>
      <p class="visually-hidden" role="status">
        {model.note.value}
      </p>
    </main>
  );
}

/** The grid keeps its scroll position while another view covers it. */
function Stored({ model }: { readonly model: StudioModel }) {
  const opened = model.opened.value;
  return (
    <>
      <GalleryGrid model={model} isHidden={opened !== undefined} />
      {opened?.kind === "picture" && <PicturePanel key={opened.name} model={model} name={opened.name} />}
      {opened?.kind === "compare" && <ComparePanel model={model} names={opened.names} />}
    </>
  );
}

/** A web address that is pasted anywhere but into a text box. */
function pastedAddress({ target, clipboardData }: ClipboardEvent): string | undefined {
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return undefined;
  const text = clipboardData?.getData("text/plain").trim() ?? "";
  return /^https?:\/\/\S+$/i.test(text) ? text : undefined;
}

/** Pasted and dropped pictures become pictures to edit. */
function takeHanded({ bridge, note }: StudioModel): () => void {
  const hand = async (files: readonly File[]) => {
    const pictures = files.filter(({ type }) => type.startsWith("image/"));
    if (pictures.length < files.length) note.value = "Only pictures can be edited.";
    for (const file of pictures.slice(0, maxLayers)) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      bridge.post("addBytes", { name: (file.name || "Pasted").slice(-300), bytes });
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = pastedFiles(event);
    const address = files.length === 0 ? pastedAddress(event) : undefined;
    if (address !== undefined) bridge.post("addAddress", { url: address });
    if (files.length === 0) return;
    event.preventDefault();
    void hand(files);
  };
  const onDragOver = (event: DragEvent) => event.preventDefault();
  const onDrop = (event: DragEvent) => {
    if (!event.dataTransfer) return;
    const { uris, files } = dropped(event.dataTransfer);
    if (uris.length + files.length === 0) return;
    event.preventDefault();
    if (uris.length > 0) bridge.post("addUris", { uris: uris.slice(0, maxLayers) });
    else void hand(files);
  };
  document.addEventListener("paste", onPaste);
  document.addEventListener("dragover", onDragOver);
  document.addEventListener("drop", onDrop);
  return () => {
    document.removeEventListener("paste", onPaste);
    document.removeEventListener("dragover", onDragOver);
    document.removeEventListener("drop", onDrop);
  };
}
