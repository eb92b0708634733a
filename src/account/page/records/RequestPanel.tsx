import { useDialog } from "../../../webview/ui/dialog.ts";
import type { UsageModel } from "../charts/usageModel.ts";
import { KnownText } from "../Unknown.tsx";

/** All records of one request. */
export function RequestPanel({ model }: { readonly model: UsageModel }) {
  const detail = model.detail.value;
  const hide = () => {
    model.detail.value = undefined;
  };
  const dialog = useDialog({ onClose: hide, focus: ".close", content: detail });
  if (!detail) return null;
  return (
    <section ref={dialog.ref} class="panel request" aria-label="Request" onKeyDown={dialog.handle}>
      <header>
        <h2>Request {detail.requestId}</h2>
        <button
          type="button"
          class="button"
          onClick={() => model.bridge.post("copy", { text: detail.requestId })}
        >
          Copy ID
        </button>
        <button
          type="button"
          class="button"
          onClick={() => model.bridge.post("showRequest", { requestId: detail.requestId })}
        >
          Show Request
        </button>
        <button type="button" class="button close" onClick={hide}>
          Close
        </button>
      </header>
      <p class="total">
        <KnownText text={detail.total} />
        {detail.total.is === "unknown" && ` ${detail.total.reason}`}
      </p>
      <dl>
        {detail.facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {detail.rows.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Product</th>
              <th scope="col">Units</th>
              <th scope="col">Unit price (USD)</th>
              <th scope="col">Spent</th>
              <th scope="col">Currency</th>
            </tr>
          </thead>
          <tbody>
            {detail.rows.map(({ sku, units, price, amount, currency }, index) => (
              <tr key={index}>
                <th scope="row">{sku}</th>
                <td>{units}</td>
                <td>{price}</td>
                <td>{amount}</td>
                <td>{currency}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
