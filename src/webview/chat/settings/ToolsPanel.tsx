import type { JSX } from "preact";
import type { ChatDeps } from "../chatDeps.ts";
import { SwitchField } from "./fields.tsx";

export interface ToolChoicesProps {
  readonly deps: ChatDeps;
  readonly useless: string | undefined;
  readonly chosen: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
}

/** The tools that the model may ask for; each call is shown, and runs when it is allowed. */
export function ToolChoices({ deps, useless, chosen, onChange }: ToolChoicesProps): JSX.Element {
  const { store } = deps;
  const problem = store.field("toolsProblem");
  return (
    <>
      {useless !== undefined && <p class="setting-note">{useless}</p>}
      {store.field("tools").map(({ name, title, description, origin, price }) => (
        <SwitchField
          key={name}
          label={origin === "workspace" ? `${title} (workspace)` : title}
          hint={price === undefined ? description : `${description} Costs ${price}.`}
          useless={undefined}
          value={chosen.includes(name)}
          onChange={(isOn) => {
            const others = chosen.filter((other) => other !== name);
            onChange(isOn ? [...others, name] : others);
          }}
        />
      ))}
      {problem !== null && <p class="setting-note wrong">{problem}</p>}
    </>
  );
}
