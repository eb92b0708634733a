import { utcText } from "../../shared/time/whenText.ts";
import type { UsageState } from "../protocol/usageProtocol.ts";
import { Budgets } from "./budgets/Budgets.tsx";
import { Completions } from "./Completions.tsx";
import { UsageControls } from "./Controls.tsx";
import { Ranks } from "./charts/Ranks.tsx";
import { SpendChart } from "./charts/SpendChart.tsx";
import type { UsageModel } from "./charts/usageModel.ts";
import { Comparison } from "./comparison/Comparison.tsx";
import { PromptCache } from "./PromptCache.tsx";
import { Calls } from "./records/Calls.tsx";
import { Records } from "./records/Records.tsx";
import { RequestPanel } from "./records/RequestPanel.tsx";
import { KnownText, reasonIn } from "./Unknown.tsx";

export function DashboardApp({ model }: { readonly model: UsageModel }) {
  const state = model.state.value;
  const picked = model.query.value.model;
  const pick = (name: string) => model.search({ model: picked === name ? undefined : name });
  return (
    <main>
      <p class="loading" role="status">
        {model.loading.value}
      </p>
      {model.notice.value && (
        <p class="warning" role="status">
          {model.notice.value}
        </p>
      )}
      {state && (
        <>
          <h1>Usage of {state.service}</h1>
          <UsageControls state={state} model={model} />
          {state.problem && (
            <p class="problem" role="alert">
              {state.problem}{" "}
              {state.needsAdmin && (
                <button
                  type="button"
                  class="button primary"
                  onClick={() => model.bridge.post("addAdmin", {})}
                >
                  Add ADMIN Key
                </button>
              )}
            </p>
          )}
          {state.warning && <p class="warning">{state.warning}</p>}
          <ul class="cards">
            {state.cards.map(({ label, value, note }) => (
              <li key={label} class="panel">
                <span class="quiet">{label}</span>
                <strong>
                  <KnownText text={value} />
                </strong>
                <span class="quiet">{value.is === "unknown" ? reasonIn(state, value.reason) : note}</span>
              </li>
            ))}
          </ul>
          <SpendChart state={state} onPick={pick} />
          <div class="pair">
            <Ranks
              title="Models"
              state={state}
              rows={state.models}
              hasTokens={true}
              pickOf={({ name }) => ({ isPicked: picked === name, pick: () => pick(name) })}
            />
            <Ranks
              title="Keys"
              state={state}
              rows={state.keys}
              hasTokens={false}
              note={noteOfKeys(state)}
              pickOf={({ keyEnding }) => (keyEnding === undefined ? undefined : keyPicking(model, keyEnding))}
            />
          </div>
          <Comparison model={model.comparison} />
          <Budgets state={model.budgets.value} onChange={() => model.bridge.post("changeBudget", {})} />
          <Calls calls={model.calls} model={model} />
          <PromptCache
            state={model.cache.value}
            onOpen={(conversation) => model.bridge.post("openChat", { conversation })}
          />
          <Completions rows={model.completions.value} />
          <RequestPanel model={model} />
          <Records model={model} state={state} />
          <p class="quiet">{state.asOfMs !== null && `As of ${utcText(state.asOfMs)}. `}Days are UTC days.</p>
        </>
      )}
    </main>
  );
}

function keyPicking(model: UsageModel, keyEnding: string): { isPicked: boolean; pick: () => void } {
  const isPicked = model.query.value.key === keyEnding;
  return { isPicked, pick: () => model.pickKey(isPicked ? undefined : keyEnding) };
}

function noteOfKeys({ analyticsStatus }: UsageState): string {
  const status = analyticsStatus && ` The analytics behind them are ${analyticsStatus} and may change.`;
  return `The service updates the figures of keys every 10 minutes.${status}`;
}
