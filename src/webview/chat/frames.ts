/** Gathers drawing into one flush per frame; what must follow the drawing follows it in the same frame. */
export interface Frames {
  /** Draws in the next frame; asking twice draws once. */
  request(draw: () => void): void;
  /** Has this called after each flush that drew something, until the returned function is called. */
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
