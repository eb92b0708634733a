import type { JSX } from "preact";
import { isList } from "../../output/json.ts";
import type { Json } from "../../output/rpcOutput.ts";
import { cutFieldText, jsonText, shownAccount, wholeLength } from "../data/fields/fieldText.ts";
import { counted } from "../data/fields/numbers.ts";
import { useDrawing, useStored } from "../drawing.ts";
import { Paged } from "../parts/Paged.tsx";

const openDepth = 2;
const openMembers = 40;
const atOnce = 100;

/** JSON as a tree. Members are rendered when their parent is opened. */
export function JsonTree({
  value,
  path = "$",
}: {
  readonly value: Json;
  readonly path?: string;
}): JSX.Element {
  return (
    <div class="json">
      <Node value={value} path={path} depth={0} />
    </div>
  );
}

interface NodeProps {
  readonly value: Json;
  readonly path: string;
  readonly depth: number;
  readonly name?: string;
}

function Node({ name, value, path, depth }: NodeProps): JSX.Element {
  return typeof value === "object" && value !== null ? (
    <Branch name={name ?? ""} value={value} path={path} depth={depth} />
  ) : (
    <Leaf name={name} value={value} />
  );
}

function Leaf({ name, value }: { readonly name: string | undefined; readonly value: Json }): JSX.Element {
  const writing = useDrawing();
  const text = jsonText(value, writing);
  const account = typeof value === "string" ? shownAccount(value, writing.accounts)?.name : undefined;
  return (
    <div class="json-leaf">
      {name !== undefined && <Key name={name} />}
      <code class={`json-${value === null ? "null" : typeof value}`}>{text}</code>
      {account !== undefined && <span class="account-name quiet">{cutFieldText(account, 60)}</span>}
    </div>
  );
}

function Branch({
  name,
  value,
  path,
  depth,
}: NodeProps & { readonly value: object; readonly name: string }): JSX.Element {
  const members = Object.entries(value as { readonly [name: string]: Json });
  const list = isList(value as Json);
  const writing = useDrawing();
  const whole = list ? wholeLength(value as readonly Json[], writing) : members.length;
  const [isOpen, setOpen] = useStored(`json ${path}`, depth < openDepth && members.length <= openMembers);
  const size = counted(whole, list ? "item" : "member");
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {name !== "" && <Key name={name} />}
        <span class="quiet">{list ? `[${size}]` : `{${size}}`}</span>
      </summary>
      {isOpen && (
        <div class="json-members">
          <Paged
            name={`json ${path}`}
            items={members}
            atOnce={atOnce}
            whole={whole}
            draw={([key, member]) => (
              <Node name={key} value={member} path={`${path}/${key}`} depth={depth + 1} />
            )}
            frame={(drawn) => drawn}
          />
        </div>
      )}
    </details>
  );
}

function Key({ name }: { readonly name: string }): JSX.Element {
  return <span class="json-key">{cutFieldText(name, 200)}: </span>;
}
