/**
 * Waits for a promise that may never settle, because the layer below ignores the signal: rejects with the signal's reason
 * on abort. `drop` gets a value that comes later.
 */
export async function untilAborted<Value>(
  wait: PromiseLike<Value>,
  signal: AbortSignal,
  drop?: (late: Value) => void,
): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([wait, aborted.promise]);
  } catch (error) {
    if (signal.aborted) void wait.then(drop, () => {});
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
