import type { JSX } from "preact";
import { uselessBecause } from "../../protocol/chatUsable.ts";
import { PopupPanel } from "../composer/PopupPanel.tsx";
import { chosenCard } from "../details/chosenCard.ts";
import type { ChatPageDeps } from "../store/chatDeps.ts";
import { SwitchField } from "./fields.tsx";
import { ServerGroup } from "./ServerGroup.tsx";

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
  const set = (names: readonly string[], isOn: boolean) => {
    const rest = chosen.filter((name) => !names.includes(name));
    choose(isOn ? [...rest, ...names] : rest);
  };
  // Those of servers and of the editor are chosen by themselves.
  const ours = offered.filter(({ origin }) => origin === "built-in" || origin === "workspace");
  const ourNames = ours.map(({ name }) => name);
  const areAllOn = ourNames.every((name) => chosen.includes(name));
  return (
    <PopupPanel
      title="Tools of this chat"
      label="Tools of this chat"
      closeLabel="Close Tools"
      focus="input"
      action={{ label: areAllOn ? "None" : "All", run: () => set(ourNames, !areAllOn) }}
      onClose={onClose}
    >
      {useless !== undefined && <p class="setting-note">{useless}</p>}
      {ours.map(({ name, title, description, origin, price }) => (
        <SwitchField
          key={name}
          label={origin === "workspace" ? `${title} (workspace)` : title}
          hint={price === undefined ? description : `${description} Costs ${price}.`}
          useless={undefined}
          value={chosen.includes(name)}
          onChange={(isOn) => set([name], isOn === true)}
        />
      ))}
      {store.field("toolServers").map((server) => (
        <ServerGroup
          key={server.id}
          name={server.name}
          server={server}
          tools={offered.filter((tool) => tool.server === server.id)}
          chosen={chosen}
          onChoose={set}
          onAct={(action) => bridge.post("toolServer", { id: server.id, action })}
        />
      ))}
      <ServerGroup
        name="Tools of the editor"
        tools={offered.filter(({ origin }) => origin === "editor")}
        chosen={chosen}
        onChoose={set}
      />
      {problem !== null && <p class="setting-note wrong">{problem}</p>}
    </PopupPanel>
  );
}
