import type { CacheGroup, CacheRow, CacheState } from "../protocol/cacheProtocol.ts";

const count = new Intl.NumberFormat("en");

interface PromptCacheProps {
  /** Undefined if no prompt was counted. */
  readonly state: CacheState | undefined;
  readonly onOpen: (conversation: string) => void;
}

/** What the service read from its prompt cache, by conversation and task, and what the misses cost. */
export function PromptCache({ state, onOpen }: PromptCacheProps) {
  if (!state) return null;
  const { total, groups } = state;
  return (
    <section class="panel" aria-label="Prompt cache">
      <h2>Prompt cache</h2>
      <p>{summaryOf(total)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys */}
      <section class="scroll cache-scroll" aria-label="Prompt cache by conversation and task" tabIndex={0}>
        <table class="figures cache-table">
          <thead>
            <tr>
              {["Conversation", "Calls", "Prompt tokens", "From the cache", "Hit rate", "Missed", "Lost"].map(
                (name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {groups.flatMap((group, index) => [
              <Row key={index} row={group} name={<GroupName group={group} onOpen={onOpen} />} />,
              ...group.tasks.map((task, at) => (
                <Row key={`${index} ${at}`} row={task} name={task.name} isTask={true} />
              )),
            ])}
          </tbody>
        </table>
      </section>
      <p class="quiet">
        This month, in UTC, over this connection on this computer. Missed are tokens that the same window had
        sent before, within 5 minutes or as long as the chat asks for, and that the service did not read from
        its cache. Lost is what they cost more than from the cache. Both are counted from 1,024 tokens on.
      </p>
    </section>
  );
}

function GroupName({
  group,
  onOpen,
}: {
  readonly group: CacheGroup;
  readonly onOpen: PromptCacheProps["onOpen"];
}) {
  const { name, chat } = group;
  if (chat === undefined) return <>{name}</>;
  return (
    <button type="button" class="link" title="Opens the conversation in a tab" onClick={() => onOpen(chat)}>
      {name}
    </button>
  );
}

interface RowProps {
  readonly row: CacheRow;
  readonly name: preact.ComponentChildren;
  readonly isTask?: true;
}

function Row({ row, name, isTask }: RowProps) {
  const { models, calls, unknownCalls, promptTokens, cachedTokens, hitRate, missedTokens, lost } = row;
  const isKnown = unknownCalls < calls;
  const figure = (tokens: number) => (isKnown ? count.format(tokens) : "–");
  return (
    <tr class={isTask ? "cache-task" : undefined}>
      <th scope="row">
        {name}
        {models && <bdi class="quiet cache-model">{models}</bdi>}
      </th>
      <td title={unknownText(row)}>{count.format(calls)}</td>
      <td>{figure(promptTokens)}</td>
      <td>{figure(cachedTokens)}</td>
      <td>{hitRate || "–"}</td>
      <td>{figure(missedTokens)}</td>
      <td>{isKnown ? lost : "–"}</td>
    </tr>
  );
}

function unknownText(
  { unknownCalls }: CacheRow,
  nounOf = (text: string) => `${text} of them`,
): string | undefined {
  if (unknownCalls === 0) return undefined;
  return `For ${nounOf(count.format(unknownCalls))} the service does not state what it read from its cache.`;
}

function summaryOf(total: CacheRow): string {
  const { promptTokens, hitRate, missedTokens, lost, unknownCalls, calls } = total;
  if (unknownCalls === calls) return "The service does not state what it reads from its prompt cache.";
  const read = `Of ${count.format(promptTokens)} prompt tokens ${hitRate} were read from the cache.`;
  const missed =
    missedTokens === 0
      ? "None that had been sent before was missed."
      : `${count.format(missedTokens)} that had been sent before were not: ${lost} more.`;
  const noun = unknownCalls === 1 ? "call" : "calls";
  return [read, missed, unknownText(total, (text) => `${text} ${noun}`) ?? ""].join(" ").trim();
}
