/** The browser's class that the codecs construct. Node does not have it. */
class PlainImageData {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}

export function offerImageData(): void {
  if (!("ImageData" in globalThis)) Object.assign(globalThis, { ImageData: PlainImageData });
}
