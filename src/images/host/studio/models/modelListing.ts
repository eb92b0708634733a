import type { Api } from "../../../../api/call/client.ts";
import type { Dialect } from "../../../../api/dialect/dialect.ts";
import type { Model } from "../../../../api/endpoints/models.ts";
import type { Table } from "../../../../api/table.ts";
import type { Explanation } from "../../../../shared/errorActions.ts";
import type { GenerationOutcome, StudioDraft } from "../../../protocol/studioState.ts";
import { failure } from "../requests/outcomes.ts";
import { type Offer, toOffer } from "./modelOffer.ts";

/** The active service, with the data that the studio needs. */
interface StudioService {
  readonly name: string;
  readonly api: Api<Table>;
  readonly dialect: Dialect;
  /** True for play money. */
  readonly isSandbox: boolean;
}

export interface ImageModelListingDeps {
  /** The client of the active connection. Throws ApiError without an active connection. */
  readonly service: () => Promise<StudioService>;
  /** Name of the active connection. Undefined without an active connection. */
  readonly serviceName: () => string | undefined;
  readonly explain: (error: unknown) => Explanation;
  readonly report: (error: unknown) => void;
}

/** The active service and its image models. */
export interface ImageModelListing {
  /** Undefined until it was reached. */
  readonly service: StudioService | undefined;
  /** Undefined until the models are loaded. */
  offer(draft: StudioDraft, layers: number): Offer | undefined;
  /** The reason that there is no offer. */
  readonly problem: string;
  /** The reason why the models could not be loaded. */
  readonly failure: GenerationOutcome | null;
  /** The current client. Throws ApiError without an active connection. */
  reach(): Promise<StudioService>;
  load(): Promise<void>;
  /** The service has changed, or may list other models. */
  forget(): void;
  dismissFailure(): void;
}

export function createImageModelListing(
  deps: ImageModelListingDeps,
  onChange: () => void,
): ImageModelListing {
  let service: StudioService | undefined;
  let models: readonly Model[] = [];
  let state: "loading" | "ready" | GenerationOutcome = "loading";
  const reach = async () => {
    service = await deps.service();
    return service;
  };
  return {
    get service() {
      return service;
    },
    offer: (draft, layers) => service && toOffer(models, draft, layers, service.dialect),
    get problem() {
      if (deps.serviceName() === undefined) return "No service is connected.";
      return state === "loading" ? "Loading models…" : "The models could not be read.";
    },
    get failure() {
      return typeof state === "object" ? state : null;
    },
    reach,
    async load() {
      if (deps.serviceName() === undefined) return onChange();
      state = "loading";
      onChange();
      try {
        const { api } = await reach();
        models = (await api.models.list({ type: "all" })).data;
        state = "ready";
      } catch (error) {
        deps.report(error);
        state = failure(deps.explain(error));
      }
      onChange();
    },
    forget() {
      service = undefined;
      models = [];
      state = "loading";
    },
    dismissFailure() {
      if (typeof state === "object") state = "loading";
    },
  };
}
