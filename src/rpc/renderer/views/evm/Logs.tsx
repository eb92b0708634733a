import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { isList, type JsonObject } from "../../../output/json.ts";
import type { Json, RpcEvent, RpcValue } from "../../../output/rpcOutput.ts";
import { valueText, wholeLength } from "../../data/fields/fieldText.ts";
import type { Column } from "../../data/tableRows.ts";
import { useDrawing } from "../../drawing.ts";
import { CalledName, GetAbi, isUnread } from "../../parts/CalledName.tsx";
import { DataTable } from "../../parts/DataTable.tsx";
import { FieldValue } from "../../parts/Field.tsx";
import { HexText } from "../../parts/Hex.tsx";
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
  const writing = useDrawing();
  const parameters = useMemo(() => sharedColumns(logs, events), [logs, events]);
  const rows = useMemo(
    () => logs.map((log, at): Row => ({ log, event: events[at] ?? undefined })),
    [logs, events],
  );
  const columns = useMemo(() => columnsOfLogs(rows, parameters), [rows, parameters]);
  return (
    <DataTable
      name={path}
      label="Logs"
      rows={rows}
      whole={wholeLength(logs, writing)}
      columns={columns}
      counter="#"
      draw={({ log, event }, at) => (
        <tr class={log.removed === true ? "removed" : undefined}>
          <th scope="row">{at}</th>
          <td>
            <FieldValue name="blockNumber" value={log.blockNumber ?? null} short />
          </td>
          <td>
            <FieldValue name="transactionHash" value={log.transactionHash ?? null} short />
          </td>
          <td>
            <FieldValue name="the contract's address" value={log.address ?? null} short />
          </td>
          <td>
            {log.removed === true && <span class="removed-mark">removed by a reorganization</span>}
            {parameters ? event && <CalledName item={event} /> : <EventOfLog log={log} event={event} />}
          </td>
          {parameters &&
            event?.values.map((value, column) => (
              <td key={column}>
                <OneValue value={value} short />
              </td>
            ))}
        </tr>
      )}
    />
  );
}

interface Row {
  readonly log: JsonObject;
  readonly event: RpcEvent | undefined;
}

/** The shown columns, then those of the CSV: the index, the values or topics, and the data. */
function columnsOfLogs(
  rows: readonly Row[],
  parameters: readonly string[] | undefined,
): readonly Column<Row>[] {
  const member = (name: string, title?: string): Column<Row> => ({
    name,
    ...(title ? { title } : {}),
    read: ({ log }) => (Object.hasOwn(log, name) ? log[name] : undefined),
  });
  const hidden = true as const;
  const topics = [0, 1, 2, 3].map(
    (at): Column<Row> => ({
      name: `topic ${at}`,
      hidden,
      read: ({ log }) => (isList(log.topics) ? log.topics[at] : undefined),
    }),
  );
  return [
    member("blockNumber", "Block"),
    member("transactionHash", "Transaction"),
    member("address", "Contract"),
    { name: "name", title: "Event", read: ({ event }) => event?.name },
    ...(parameters ?? []).map(
      (title, at): Column<Row> => ({
        name: "",
        title,
        read: ({ event }) => plainValue(event?.values[at]),
      }),
    ),
    { ...member("logIndex", "Log index"), hidden },
    ...(parameters
      ? []
      : [
          {
            name: "",
            title: "Values",
            hidden,
            read: ({ event }: Row) => event?.values.map(valueText).join(", "),
          },
          ...topics,
          { ...member("data"), hidden },
        ]),
    ...(rows.some(({ log }) => log.removed === true) ? [{ ...member("removed", "Removed"), hidden }] : []),
  ];
}

function plainValue(value: RpcValue | undefined): Json | undefined {
  if (!value) return undefined;
  return typeof value.value === "string" ? value.value : valueText({ ...value, name: "" });
}

/** The names of the parameters, if all logs have the same event. */
function sharedColumns(
  logs: readonly JsonObject[],
  events: readonly (RpcEvent | null)[],
): readonly string[] | undefined {
  const [first] = events;
  if (!first || events.length < logs.length || events.some((event) => event && isUnread(event)))
    return undefined;
  const namesOf = ({ name, values }: RpcEvent) =>
    JSON.stringify([name, values.map((value) => [value.name, value.type])]);
  const names = namesOf(first);
  if (!events.every((event) => event && namesOf(event) === names)) return undefined;
  return first.values.map(({ name, type }, at) => name || `${type} ${at}`);
}

/** The decoded event of a log, else its topics and data. */
export function EventOfLog({
  log,
  event,
}: {
  readonly log: JsonObject;
  readonly event: RpcEvent | undefined;
}): JSX.Element {
  if (event && !isUnread(event)) {
    return (
      <>
        <CalledName item={event} />
        <Decoded values={event.values} label={`Values of ${event.name}`} />
      </>
    );
  }
  const topics = isList(log.topics) ? log.topics.slice(0, 4).map(String) : [];
  return (
    <>
      {event ? <CalledName item={event} /> : <span class="quiet">Not in a known ABI</span>}{" "}
      <GetAbi address={log.address} />
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
