import type { JSX } from "preact";
import { uselessBecause } from "../../protocol/chatUsable.ts";
import { PopupPanel } from "../composer/PopupPanel.tsx";
import { chosenCard } from "../details/chosenCard.ts";
import type { ChatPageDeps } from "../store/chatDeps.ts";
import { SwitchField } from "./fields.tsx";

export interface ToolsPanelProps {
  readonly deps: ChatPageDeps;
  readonly onClose: () => void;
}

/** Tools that the model may call; each call is shown, and runs after approval. */
export function ToolsPanel({ deps, onClose }: ToolsPanelProps): JSX.Element {
  const { store, bridge } = deps;
  const { tools: chosen = [], ...others } = store.field("settings");
  const offered = store.field("tools");
  const problem = store.field("toolsProblem");
  const useless = uselessBecause("tools", chosenCard(deps));
  const choose = (names: readonly string[]) =>
    bridge.post("setSettings", { settings: names.length > 0 ? { ...others, tools: [...names] } : others });
  const areAllOn = offered.every(({ name }) => chosen.includes(name));
  return (
    <PopupPanel
      title="Tools of this chat"
      label="Tools of this chat"
      closeLabel="Close Tools"
      focus="input"
      action={{
        label: areAllOn ? "None" : "All",
        run: () => choose(areAllOn ? [] : offered.map(({ name }) => name)),
      }}
      onClose={onClose}
    >
      {useless !== undefined && <p class="setting-note">{useless}</p>}
      {offered.map(({ name, title, description, origin, price }) => (
        <SwitchField
          key={name}
          label={origin === "workspace" ? `${title} (workspace)` : title}
          hint={price === undefined ? description : `${description} Costs ${price}.`}
          useless={undefined}
          value={chosen.includes(name)}
          onChange={(isOn) => {
            const rest = chosen.filter((other) => other !== name);
            choose(isOn ? [...rest, name] : rest);
          }}
        />
      ))}
      {problem !== null && <p class="setting-note wrong">{problem}</p>}
    </PopupPanel>
  );
}
