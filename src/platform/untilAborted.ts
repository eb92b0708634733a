/** Waits for a promise that may never settle: rejects with the signal's reason on abort. */
export function untilAborted<Value>(wait: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return Promise.race([wait, aborted.promise]).finally(() => signal.removeEventListener("abort", onAbort));
}
