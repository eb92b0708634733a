import assert from "node:assert/strict";
import { type decode, encode } from "fast-png";
import type { Locator } from "playwright-core";
import type { Workbench } from "../workbench.ts";

/** The browser API that these tests use. */
interface Drawn {
  readonly naturalWidth: number;
  readonly naturalHeight: number;
  decode(): Promise<void>;
}

interface Browser {
  readonly DataTransfer: new () => {
    readonly items: { add(file: File): void };
    setData(type: string, text: string): void;
  };
  readonly ClipboardEvent: new (type: string, options: object) => Event;
  readonly DragEvent: new (type: string, options: object) => Event;
  readonly OffscreenCanvas: new (
    width: number,
    height: number,
  ) => {
    getContext(kind: "2d"): {
      drawImage(image: unknown, x: number, y: number): void;
      getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray };
    };
  };
}

/** The pasted or dropped data: a file with these bytes, or the URIs of files. */
type Handed = { readonly name: string; readonly bytes: Uint8Array } | { readonly uris: readonly string[] };

/** Locators and actions of the image studio in a window. */
export function studioPage(workbench: () => Workbench) {
  const page = () => workbench().page;
  const view = () => workbench().webview("tab");
  const layers = () => view().locator(".layers li");
  const prompt = () => view().getByRole("textbox", { name: "Prompt" });
  /** Pastes or drops data into the page. */
  const hand = async (how: "paste" | "drop", handed: Handed): Promise<void> => {
    const base64 = "bytes" in handed ? Buffer.from(handed.bytes).toString("base64") : "";
    const name = "name" in handed ? handed.name : "";
    const uris = "uris" in handed ? handed.uris.join("\r\n") : "";
    await prompt().evaluate(
      (box, given) => {
        const { DataTransfer, ClipboardEvent, DragEvent } = globalThis as unknown as Browser;
        const data = new DataTransfer();
        const content = Uint8Array.from(atob(given.base64), (letter) => letter.charCodeAt(0));
        if (given.uris === "") data.items.add(new File([content], given.name, { type: "image/png" }));
        else data.setData("application/vnd.code.uri-list", given.uris);
        const options = { bubbles: true, cancelable: true };
        box.dispatchEvent(
          given.how === "paste"
            ? new ClipboardEvent("paste", { ...options, clipboardData: data })
            : new DragEvent("drop", { ...options, dataTransfer: data }),
        );
      },
      { how, name, uris, base64 },
    );
  };
  return {
    page,
    view,
    layers,
    prompt,
    button: (name: string) => view().getByRole("button", { name, exact: true }),
    make: () => view().locator("button[type=submit]"),
    outcome: () => view().locator(".outcome"),
    picture: () => view().locator(".picture img"),
    dialog: () => page().locator(".monaco-dialog-box"),
    hand,
    async emptyLayers(): Promise<void> {
      for (let left = await layers().count(); left > 0; left = await layers().count()) {
        const remove = layers()
          .first()
          .getByRole("button", { name: /^Remove / });
        await remove.click();
        await layers()
          .nth(left - 1)
          .waitFor({ state: "detached" });
      }
    },
    /** Draws a stroke through these points, as fractions of width and height. */
    async draw(canvas: Locator, points: readonly (readonly [number, number])[]): Promise<void> {
      const box = await canvas.boundingBox();
      assert.ok(box);
      const places = points.map(([x, y]) => [box.x + x * box.width, box.y + y * box.height] as const);
      const [first, ...rest] = places;
      assert.ok(first);
      await page().mouse.move(...first);
      await page().mouse.down();
      for (const point of rest) await page().mouse.move(...point, { steps: 8 });
      await page().mouse.up();
    },
  };
}

/** Width in pixels of the decoded image. */
export async function widthOf(image: Locator): Promise<number> {
  await image.waitFor();
  return image.evaluate(async (element) => {
    const img = element as unknown as Drawn;
    await img.decode();
    return img.naturalWidth;
  });
}

/** A PNG of one grey level. */
export function plainPng(width: number, height: number, level: number): Uint8Array {
  return encode({ width, height, data: new Uint8Array(width * height).fill(level), channels: 1 });
}

/** Red, green, blue and alpha of each pixel, for any colour type. */
export function rgba({ data, channels, width, height }: ReturnType<typeof decode>): Uint8Array {
  const all = new Uint8Array(width * height * 4);
  for (let index = 0; index < width * height; index++) {
    for (let channel = 0; channel < 4; channel++)
      all[index * 4 + channel] = channel < channels ? (data[index * channels + channel] ?? 0) : 255;
  }
  return all;
}

/** The pixels of an image of the page. */
export async function pixelsOf(image: Locator): Promise<Uint8Array> {
  await image.waitFor();
  const base64 = await image.evaluate(async (element) => {
    const img = element as unknown as Drawn;
    await img.decode();
    const { OffscreenCanvas } = globalThis as unknown as Browser;
    const context = new OffscreenCanvas(img.naturalWidth, img.naturalHeight).getContext("2d");
    context.drawImage(img, 0, 0);
    const { data } = context.getImageData(0, 0, img.naturalWidth, img.naturalHeight);
    let text = "";
    for (const byte of data) text += String.fromCharCode(byte);
    return btoa(text);
  });
  return Buffer.from(base64, "base64");
}
