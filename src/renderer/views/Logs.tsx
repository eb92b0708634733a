import type { JSX } from "preact";
import type { RpcEvent } from "../../shared/rpcOutput.ts";
import { cutFieldText } from "../fieldText.ts";
import { FieldValue } from "../parts/Field.tsx";
import { HexText } from "../parts/Hex.tsx";
import { Paged } from "../parts/Paged.tsx";
import { TableFrame } from "../parts/TableFrame.tsx";
import { isList, type JsonObject } from "../readOutput.ts";
import { Decoded, OneValue } from "./Decoded.tsx";

/** Logs with their decoded events. */
export function Logs({
  logs,
  events,
  path,
}: {
  readonly logs: readonly JsonObject[];
  readonly events: readonly (RpcEvent | null)[];
  readonly path: string;
}): JSX.Element {
  const columns = sharedColumns(logs, events);
  const head = ["#", "Block", "Contract", "Event", ...(columns ?? []).map((name) => cutFieldText(name, 60))];
  return (
    <Paged
      name={path}
      items={logs}
      atOnce={25}
      frame={(drawn) => (
        <TableFrame label="Logs" head={head}>
          {drawn}
        </TableFrame>
      )}
      draw={(log, at) => (
        <tr>
          <th scope="row">{at}</th>
          <td>
            <FieldValue name="blockNumber" value={log.blockNumber ?? null} short />
          </td>
          <td>
            <FieldValue name="the contract's address" value={log.address ?? null} short />
          </td>
          <td>
            {columns ? (
              <strong>{cutFieldText(events[at]?.name ?? "", 80)}</strong>
            ) : (
              <Event log={log} event={events[at] ?? undefined} />
            )}
          </td>
          {columns &&
            events[at]?.values.map((value, column) => <td key={column}>{<OneValue value={value} />}</td>)}
        </tr>
      )}
    />
  );
}

/** The names of the parameters, if all logs have the same event. */
function sharedColumns(
  logs: readonly JsonObject[],
  events: readonly (RpcEvent | null)[],
): readonly string[] | undefined {
  const [first] = events;
  if (!first || events.length < logs.length) return undefined;
  const namesOf = ({ name, values }: RpcEvent) =>
    JSON.stringify([name, values.map((value) => [value.name, value.type])]);
  const names = namesOf(first);
  if (!events.every((event) => event && namesOf(event) === names)) return undefined;
  return first.values.map(({ name, type }, at) => name || `${type} ${at}`);
}

function Event({
  log,
  event,
}: {
  readonly log: JsonObject;
  readonly event: RpcEvent | undefined;
}): JSX.Element {
  if (event) {
    return (
      <>
        <strong>{cutFieldText(event.name, 80)}</strong>
        <Decoded values={event.values} label={`Values of ${event.name}`} />
      </>
    );
  }
  const topics = isList(log.topics) ? log.topics.slice(0, 4).map(String) : [];
  return (
    <>
      <span class="quiet">Not in a known ABI</span>
      <ul class="decoded">
        {topics.map((topic, at) => (
          <li key={at}>
            <span class="quiet">topic {at}</span> <HexText text={topic} what={`topic ${at}`} short />
          </li>
        ))}
        {typeof log.data === "string" && log.data !== "0x" && (
          <li>
            <span class="quiet">data</span> <HexText text={log.data} what="the data" short />
          </li>
        )}
      </ul>
    </>
  );
}
