import { render } from "preact";
import { parseExact } from "../../shared/text/json/exactJson.ts";
import type { RpcOutput } from "../output/rpcOutput.ts";
import type { RpcOutputMessage } from "../output/rpcOutputMessage.ts";
import { setStructured, structured } from "./data/fields/structured.ts";
import { readOutput } from "./data/readOutput.ts";
import { WholeResults } from "./data/wholeResults.ts";
import { OutputView } from "./OutputView.tsx";
import css from "./rpc.css";
import tables from "./tables.css";
import views from "./views.css";

/** Called by the editor once for each notebook with an RPC output. */
export function activate({ postMessage, onDidReceiveMessage }: RendererContext): Renderer {
  const style = new CSSStyleSheet();
  style.replaceSync(`${css}${tables}${views}`);
  const roots = new Map<string, ShadowRoot>();
  const newest = new WeakMap<ShadowRoot, RpcOutput>();
  const draws = new Map<ShadowRoot, () => void>();
  const wholes = new WholeResults((message) => postMessage?.(message));
  onDidReceiveMessage?.((message) => {
    const runId = wholes.receive(message);
    for (const [root, draw] of draws) if (runId !== undefined && newest.get(root)?.runId === runId) draw();
  });
  const stored = new Map<string, Map<string, unknown>>();
  const storedOf = (runId: string) => {
    const choices = stored.get(runId) ?? new Map<string, unknown>();
    // The oldest runs are first.
    stored.delete(runId);
    stored.set(runId, choices);
    for (const oldest of stored.keys()) if (stored.size > mostStored) stored.delete(oldest);
    return choices;
  };
  return {
    renderOutputItem(item, element) {
      // A shadow root isolates our styles from those of the editor, such as its Markdown tables.
      const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
      root.adoptedStyleSheets = [style];
      roots.set(item.id, root);
      const output = read(item);
      if (!output) {
        render(
          <p class="problem">This output is from another version of the extension. Run the cell again.</p>,
          root,
        );
        return undefined;
      }
      const draw = () =>
        render(
          <OutputView
            key={output.runId}
            output={wholes.of(output)}
            stored={storedOf(output.runId)}
            post={postMessage}
          />,
          root,
        );
      newest.set(root, output);
      draws.set(root, draw);
      wholes.ask(output);
      const loading = loadViewsFor(output);
      // A newer output of the cell, or its removal, may come while the views are loaded.
      const drawLater = () => {
        style.replaceSync(`${css}${tables}${views}${structured()?.topUpSheet ?? ""}`);
        if (newest.get(root) === output && roots.get(item.id) === root) draw();
      };
      if (loading) return loading.then(drawLater);
      draw();
      return undefined;
    },
    disposeOutputItem(id) {
      for (const [itemId, root] of roots) {
        if (id !== undefined && id !== itemId) continue;
        render(null, root);
        draws.delete(root);
        roots.delete(itemId);
      }
    },
  };
}

/** Loads the views that an output needs. Undefined if there is nothing to wait for. */
function loadViewsFor({ lines, networks, problem }: RpcOutput): Promise<void> | undefined {
  const needsThem =
    problem?.topUp !== undefined ||
    networks.length > 1 ||
    lines.some(
      ({ outcome, simulation }) =>
        simulation !== undefined ||
        (outcome.kind === "result" &&
          (outcome.view === "solana" || (typeof outcome.value === "object" && outcome.value !== null))),
    );
  if (structured() || !needsThem) return undefined;
  // Without them, results are shown as JSON.
  return import("./views/Structured.tsx").then(setStructured, () => {});
}

/** Runs whose opened parts are remembered. */
const mostStored = 100;

function read(item: OutputItem) {
  try {
    return readOutput(parseExact(item.text()));
  } catch {
    return undefined;
  }
}

/** The part of VS Code's renderer context that is used here. */
interface RendererContext {
  /** Undefined if the output is shown without its extension. */
  readonly postMessage?: (message: RpcOutputMessage) => void;
  readonly onDidReceiveMessage?: (listener: (message: unknown) => void) => unknown;
}

interface OutputItem {
  readonly id: string;
  text(): string;
}

export interface Renderer {
  /** Resolves once a result is shown whose views had to be loaded. */
  renderOutputItem(item: OutputItem, element: HTMLElement): Promise<void> | undefined;
  disposeOutputItem(id?: string): void;
}
