/** Waits for what may never come: rejects with the signal's reason as soon as it fires. */
export function untilAborted<Value>(wait: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return Promise.race([wait, aborted.promise]).finally(() => signal.removeEventListener("abort", onAbort));
}
