type Globals = ReadonlyMap<string, unknown>;

const names = ["fetch", "Headers", "Request", "Response", "FormData", "WebSocket", "EventSource"];

/** The host's fetch, its related globals and every dispatcher that undici stores on `globalThis`, by name. */
export function readGlobals(): Globals {
  const symbols = Object.getOwnPropertySymbols(globalThis).filter((symbol) =>
    symbol.description?.startsWith("undici."),
  );
  return new Map<string, unknown>([
    ...names.map((name): [string, unknown] => [name, Reflect.get(globalThis, name)]),
    ...symbols.map((symbol): [string, unknown] => [String(symbol), Reflect.get(globalThis, symbol)]),
  ]);
}

let before: Globals | undefined;

/** Saves the globals before any of our bundles is loaded. */
export async function rememberGlobals(): Promise<void> {
  await fetch("data:,"); // node sets its own dispatcher on the first fetch
  before = readGlobals();
}

/** The saved globals. */
export function rememberedGlobals(): Globals {
  if (!before) throw new Error("rememberGlobals() comes first");
  return before;
}
