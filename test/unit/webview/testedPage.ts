/** The host of the page, which the test exposes. */
declare const askHost: (message: unknown) => void;

/** A page of a test: started as after a reload with what VS Code kept for it, it sends to `askHost` and hears by `handle`. */
interface TestedPage<ToView, Kept> {
  start(before?: Kept): void;
  kept(): Kept | undefined;
  handle(message: ToView): void;
}

/** Makes `window[name]` a page, and `acquireVsCodeApi` its end of VS Code. */
export function exposePage<ToHost, ToView, Kept>(name: string, start: () => void): void {
  /** As VS Code keeps it for the page. */
  let kept: Kept | undefined;
  const page: TestedPage<ToView, Kept> = {
    start(before) {
      kept = before;
      start();
    },
    kept: () => kept,
    handle: (message) => window.dispatchEvent(new MessageEvent("message", { data: message })),
  };
  Object.assign(window, {
    [name]: page,
    acquireVsCodeApi: () => ({
      postMessage: (message: ToHost) => askHost(message),
      getState: () => kept,
      setState(state: Kept) {
        kept = state;
      },
    }),
  });
}
