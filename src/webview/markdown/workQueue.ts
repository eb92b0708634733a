/** Milliseconds that all of it may take of a frame. */
const sliceMs = 8;

/** Work that can wait: it is done at once while there is time in this frame, and else bit by bit in those that follow. */
export interface WorkQueue {
  add(work: () => void): void;
  /** Resolves when nothing waits. */
  settled(): Promise<void>;
}

export function createWorkQueue(): WorkQueue {
  let waiting: (() => void)[] = [];
  let next = 0;
  let spentMs = 0;
  let frame: Promise<void> | undefined;

  const perform = (work: () => void) => {
    const startMs = performance.now();
    work();
    spentMs += performance.now() - startMs;
  };
  /** After this frame there is time again. */
  const afterFrame = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve));
    spentMs = 0;
    for (; next < waiting.length && spentMs < sliceMs; next++) perform(waiting[next] ?? (() => {}));
    if (next === waiting.length) {
      waiting = [];
      next = 0;
    }
    frame = waiting.length > 0 ? afterFrame() : undefined;
  };
  return {
    add(work) {
      if (waiting.length === 0 && spentMs < sliceMs) perform(work);
      else waiting.push(work);
      frame ??= afterFrame();
    },
    async settled() {
      while (frame) await frame;
    },
  };
}
