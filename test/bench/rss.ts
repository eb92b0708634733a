/** Watches this process's resident memory; `stop` returns the megabytes by which the peak exceeds the start. */
export function watchRss(): { stop(): number } {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  const measure = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const timer = setInterval(measure, 2);
  return {
    stop() {
      clearInterval(timer);
      measure();
      return (peak - before) / 1_000_000;
    },
  };
}
