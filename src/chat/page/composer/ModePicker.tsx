import type { JSX } from "preact";
import { type ChatMode, chatModes, defaultTaskLimits } from "../../protocol/agentModes.ts";
import type { ChatSettings } from "../../protocol/chatSettings.ts";
import type { ChatPageDeps } from "../store/chatDeps.ts";

const modeTitles: Readonly<Record<ChatMode, string>> = {
  ask: "Ask: the model answers, and reads with the tools that you choose.",
  plan: "Plan: the model reads the workspace and writes a plan. It changes nothing.",
  agent: "Agent: the model changes files and runs commands. You review each change.",
};
const modeNames: Readonly<Record<ChatMode, string>> = { ask: "Ask", plan: "Plan", agent: "Agent" };

/** The mode, and the cap of a task in the modes that act. */
export function ModePicker({ deps }: { readonly deps: ChatPageDeps }): JSX.Element {
  const settings = deps.store.field("settings");
  const { mode = "ask", task } = settings;
  const capUsd = task?.capUsd ?? defaultTaskLimits.capUsd;
  const set = (next: ChatSettings) => deps.bridge.post("setSettings", { settings: next });
  const choose = (chosen: string) => {
    const found = chatModes.find((one) => one === chosen) ?? "ask";
    const { mode: _, ...others } = settings;
    set(found === "ask" ? others : { ...others, mode: found });
  };
  return (
    <>
      <select
        class="mode-picker"
        aria-label="Mode"
        title={modeTitles[mode]}
        value={mode}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {chatModes.map((one) => (
          <option key={one} value={one} title={modeTitles[one]}>
            {modeNames[one]}
          </option>
        ))}
      </select>
      {mode !== "ask" && (
        <label
          class="cap-label"
          title="The most that a task may cost, in USD. It stops before the call that could cost more."
        >
          $
          <input
            class="task-cap"
            type="text"
            inputMode="decimal"
            aria-label="Cap of a task in USD"
            pattern="[0-9]*[.]?[0-9]+"
            // Not controlled: a change of the state while the user types must not replace the text.
            key={capUsd}
            defaultValue={String(capUsd)}
            onChange={(event) => {
              const typed = Number(event.currentTarget.value);
              if (typed > 0 && typed <= 10_000) set({ ...settings, task: { ...task, capUsd: typed } });
              else event.currentTarget.value = String(capUsd);
            }}
          />
        </label>
      )}
    </>
  );
}
