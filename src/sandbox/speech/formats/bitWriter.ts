/** Writes numbers of any width, the highest bit first, as FLAC and AAC do. */
export class BitWriter {
  readonly #bytes: number[] = [];
  #last = 0;
  #used = 0;

  get bits(): number {
    return this.#bytes.length * 8 + this.#used;
  }

  /** The low bits of `value`; `width` is at most 32. */
  write(value: number, width: number): void {
    for (let left = width; left > 0; ) {
      const count = Math.min(8 - this.#used, left);
      left -= count;
      this.#last = (this.#last << count) | ((value >>> left) & ((1 << count) - 1));
      this.#used += count;
      if (this.#used < 8) continue;
      this.#bytes.push(this.#last);
      this.#last = 0;
      this.#used = 0;
    }
  }

  /** `count` bits of one kind, closed by one of the other. */
  writeUnary(count: number, bit: 0 | 1): void {
    for (let left = count; left > 0; left -= 32) this.write(bit ? 0xffff_ffff : 0, Math.min(32, left));
    this.write(1 - bit, 1);
  }

  /** All bytes, the last one filled with zeros. */
  finish(): Uint8Array {
    if (this.#used > 0) this.write(0, 8 - this.#used);
    return Uint8Array.from(this.#bytes);
  }
}
