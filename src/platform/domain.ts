import type { Disposable } from "vscode";
import type { Lazy } from "./lazy.ts";

/** A domain of a window: what it has registered at the start, and its feature, which is loaded on first use. */
export class Domain<Feature> {
  readonly feature: Lazy<Feature>;
  readonly #registered: readonly Disposable[];

  constructor(feature: Lazy<Feature>, ...registered: readonly Disposable[]) {
    this.feature = feature;
    this.#registered = registered;
  }

  dispose(): void {
    for (const one of [...this.#registered, this.feature]) one.dispose();
  }
}
