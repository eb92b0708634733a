/** Batches rendering into one flush per animation frame; callbacks run after it in the same frame. */
export interface Frames {
  /** Renders in the next frame; repeated requests render once. */
  request(draw: () => void): void;
  /** Calls `after` after each flush that rendered something, until the returned function is called. */
  onFlush(after: () => void): () => void;
}

export function createFrames(): Frames {
  const waiting = new Set<() => void>();
  const followers = new Set<() => void>();
  let isScheduled = false;

  const flush = () => {
    isScheduled = false;
    const draws = [...waiting];
    waiting.clear();
    for (const draw of draws) draw();
    for (const follow of followers) follow();
  };
  return {
    request(draw) {
      waiting.add(draw);
      if (isScheduled) return;
      isScheduled = true;
      requestAnimationFrame(flush);
    },
    onFlush(after) {
      followers.add(after);
      return () => void followers.delete(after);
    },
  };
}
