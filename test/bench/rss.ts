/** Watches this process's resident memory; `stop` tells by how many megabytes its peak exceeded the start. */
export function watchRss(): { stop(): number } {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  const look = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 2);
  return {
    stop() {
      clearInterval(timer);
      look();
      return (peak - before) / 1_000_000;
    },
  };
}
