import type { JSX } from "preact";
import { paymentFacts, type TopUp, type TopUpPayment, topUpSums } from "../../shared/money/topUp.ts";
import { Copy } from "./Copy.tsx";

/** How to top up a wallet, as the service says it. All of it is text: nothing is a link, and nothing is sent. */
export function TopUpCard({ topUp }: { readonly topUp: TopUp }): JSX.Element {
  const sums = topUpSums(topUp);
  return (
    <section class="top-up" aria-label="How to top up the wallet">
      <h4>Top up the wallet</h4>
      {sums !== "" && <p class="top-up-quiet">{sums}</p>}
      {topUp.payments.map((payment) => (
        <Payment key={payment.payTo} payment={payment} />
      ))}
      {topUp.steps.length > 0 && (
        <ol>
          {topUp.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
      <p class="top-up-quiet">
        The service says this. Compare address and network with its own site before you pay. This extension
        pays nothing.
      </p>
    </section>
  );
}

function Payment({ payment }: { readonly payment: TopUpPayment }): JSX.Element {
  return (
    <dl>
      {paymentFacts(payment).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code>{value}</code> <Copy text={() => value} what={name.toLowerCase()} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
