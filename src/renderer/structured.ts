import type { RpcOutput } from "../shared/rpcOutput.ts";

type StructuredViews = typeof import("./views/Structured.tsx");

let loaded: StructuredViews | undefined;

/** The views of results with parts; undefined before `loadViewsFor` has loaded them. */
export function structured(): StructuredViews | undefined {
  return loaded;
}

/** Loads the views that an output needs, a chunk of its own. Undefined if there is nothing to wait for. */
export function loadViewsFor({ lines }: RpcOutput): Promise<void> | undefined {
  const needsThem = lines.some(
    ({ outcome, simulation }) =>
      simulation !== undefined ||
      (outcome.kind === "result" &&
        (outcome.view === "solana" || (typeof outcome.value === "object" && outcome.value !== null))),
  );
  if (loaded || !needsThem) return undefined;
  return import("./views/Structured.tsx").then(
    (views) => {
      loaded = views;
    },
    // The result is then shown as JSON.
    () => {},
  );
}
