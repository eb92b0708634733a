/** The browser's class, which the codecs make their result of and node does not have. */
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
