import { signal } from "@preact/signals";
import type { ComparisonState } from "../../protocol/comparisonProtocol.ts";
import type { UsageBridge } from "../bridge.ts";
import { keptView } from "../keptView.ts";

/** The comparison with the month before. It is read when the user asks for it, because that bill may be long. */
export class ComparisonModel {
  readonly #bridge: UsageBridge;
  readonly isOn = signal(false);
  /** Undefined while it is read. */
  readonly state = signal<ComparisonState | undefined>(undefined);

  constructor(bridge: UsageBridge) {
    this.#bridge = bridge;
    this.isOn.value = keptView(bridge).compares === true;
    bridge.on("state", () => this.isOn.value && bridge.post("compare", {}));
    bridge.on("comparison", ({ state }) => {
      this.state.value = state;
    });
    for (const type of ["cleared", "moved"] as const)
      bridge.on(type, () => {
        this.state.value = undefined;
      });
  }

  turn(isOn: boolean): void {
    this.isOn.value = isOn;
    this.#bridge.keep({ v: 1, compares: isOn });
    if (isOn) this.#bridge.post("compare", {});
  }
}
