import assert from "node:assert/strict";
import { dialects } from "../../../../src/api/dialect/dialect.ts";
import { make, png, studioOf } from "../../images/host/studioOf.ts";
import type { Check, Values } from "../check.ts";

const [dark, light] = [png(256, 256, 40), png(256, 256, 200)];
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const inUrl = (bytes: Uint8Array) => `data:image/png;base64,${base64(bytes)}`;

/** The pictures of the gallery, after one was made of so many. */
function galleryText(inputs: number): Check["text"] {
  return async (api, t) => {
    const service = async () => ({ name: "Service", isSandbox: false, api, dialect: dialects.standard });
    const { controller, gallery, state } = await studioOf(t, {
      draft: { prompt: "a fox" },
      deps: { service },
    });
    const pictures = Array.from({ length: inputs }, (_, index) => ({
      name: `${index}.png`,
      data: png(256, 256, index),
    }));
    controller.add(pictures);
    await controller.handle(make);
    assert.equal(state().outcome?.kind, "kept", state().outcome?.text);
    const names = await gallery.find("");
    const files = await Promise.all(names.map((name) => gallery.read(name)));
    return files.map((bytes) => base64(bytes ?? new Uint8Array())).join("\n");
  };
}

const model = (type: string) => ({ "models.list": { data: [{ id: "model-1", type }] } });
const bytes: Values = [dark, light, base64(light)];
const made = {
  row: "images.generate",
  view: "Image studio",
  others: model("image"),
  text: galleryText(0),
} as const;
const edited = { view: "Image studio", others: model("inpaint"), values: { "(body)": bytes } } as const;

export const imageChecks: readonly Check[] = [
  { ...made, values: { "data.b64_json": [base64(dark), base64(light)] }, without: ["data.url"] },
  {
    ...made,
    values: { "data.url": [inUrl(dark), inUrl(light), base64(light)] },
    without: ["data.b64_json"],
  },
  { ...edited, row: "images.edit", text: galleryText(1) },
  { ...edited, row: "images.multiEdit", text: galleryText(2) },
];
