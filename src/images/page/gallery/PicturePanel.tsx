import { decimalText } from "../../../shared/money/exact.ts";
import { type GalleryItem, maskName, type PictureFacts } from "../../protocol/studioState.ts";
import { toPng } from "../mask/scalePicture.ts";
import type { StudioModel } from "../studioModel.ts";
import { OpenedPanel } from "./OpenedPanel.tsx";
import { usePicture } from "./pictureStore.ts";

/** One picture, with its metadata and actions. */
export function PicturePanel({ model, name }: { readonly model: StudioModel; readonly name: string }) {
  const url = usePicture(model.store, "picture", name);
  const item = model.gallery.itemOf(name);
  const words = item?.facts?.prompt ?? name;
  return (
    <OpenedPanel model={model} title={name} label={`Picture: ${words}`}>
      {url && <img src={url} alt={words} />}
      {url === null && <p class="problem">The file no longer exists or can't be read.</p>}
      {item?.facts?.isBlurred && (
        <p class="warning">The service blurred this picture: it found adult content.</p>
      )}
      <Actions model={model} name={name} item={item} />
      {item?.note && <p class="warning">{item.note}</p>}
      {item?.facts && <Facts facts={item.facts} />}
    </OpenedPanel>
  );
}

interface ActionProps {
  readonly model: StudioModel;
  readonly name: string;
  readonly item: GalleryItem | undefined;
}

function Actions({ model, name, item }: ActionProps) {
  const { bridge } = model;
  const actions: readonly (readonly [label: string, run: () => unknown])[] = [
    ["Use as Input", () => bridge.post("addPicture", { name })],
    ...(item?.facts ? [["Use Its Settings", () => bridge.post("reuse", { name })] as const] : []),
    ["Insert as Markdown", () => bridge.post("insert", { name, as: "markdown" })],
    ["Insert as HTML", () => bridge.post("insert", { name, as: "html" })],
    ["Copy Image", () => copyImage(model, name)],
    ["Copy Path", () => bridge.post("copy", { name, as: "path" })],
    ["Copy as Markdown", () => bridge.post("copy", { name, as: "markdown" })],
    ["Save As…", () => bridge.post("saveAs", { name })],
    ["Open in Editor", () => bridge.post("openPicture", { name })],
    ["Select to Compare", () => model.toggle(name)],
    ["Remove…", () => bridge.post("remove", { name })],
  ];
  return (
    <div class="buttons" role="toolbar" aria-label="Actions">
      {actions.map(([label, run]) => (
        <button
          key={label}
          type="button"
          class="button"
          {...(label === "Select to Compare" ? { "aria-pressed": model.selected.value.includes(name) } : {})}
          onClick={() => void run()}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

/** The clipboard accepts only PNG and must be written within the click, so it gets a promise. */
async function copyImage({ store, note }: StudioModel, name: string): Promise<void> {
  try {
    const png = store.blobOf({ kind: "picture", name }).then(toPng);
    await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
    note.value = "The image was copied.";
  } catch {
    note.value = "Images can't be copied in this window. Open the picture in the editor and copy it there.";
  }
}

const ways: Readonly<Record<PictureFacts["way"], string>> = {
  generate: "Text to image",
  edit: "Edited",
  combine: "Combined",
};

export function Facts({ facts }: { readonly facts: PictureFacts }) {
  const { prompt, model, seed, costUsd, isPlayMoney, at, way, width, height, service, choices, inputs } =
    facts;
  const isInpainted = inputs.includes(maskName);
  const rows: readonly (readonly [string, string])[] = [
    ["Prompt", prompt],
    ["Model", model],
    ["Made", `${at.slice(0, 16).replace("T", " ")} UTC, by ${service}`],
    ["Cost", costUsd === null ? "not listed" : `$${decimalText(costUsd)}${isPlayMoney ? " play money" : ""}`],
    ["Seed", seed === null ? "not reported by the service" : String(seed)],
    ["Size", `${width} × ${height}`],
    [
      "Mode",
      inputs.length > 0 ? `${isInpainted ? "Inpainted" : ways[way]}, of ${inputs.join(", ")}` : ways[way],
    ],
    [
      "Choices",
      Object.entries(choices)
        .map(([member, value]) => `${member}: ${value}`)
        .join(", "),
    ],
  ];
  return (
    <dl class="facts">
      {rows
        .filter(([, value]) => value !== "")
        .map(([label, value]) => (
          <div key={label}>
            <dt class="quiet">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
