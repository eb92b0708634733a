import type { FromUsageView, ToUsageView } from "../../shared/usageProtocol.ts";

interface EditorApi {
  postMessage(message: FromUsageView): void;
}

declare function acquireVsCodeApi(): EditorApi;

type BodyOf<Type extends FromUsageView["type"]> = Extract<FromUsageView, { readonly type: Type }>["body"];

/** The one place where the dashboard talks with its host. */
export interface UsageBridge {
  post<Type extends FromUsageView["type"]>(type: Type, body: BodyOf<Type>): void;
  onMessage(listener: (message: ToUsageView) => void): void;
}

export function createUsageBridge(): UsageBridge {
  const editor = acquireVsCodeApi();
  return {
    post: (type, body) => editor.postMessage({ v: 1, type, body } as FromUsageView),
    onMessage: (listener) => window.addEventListener("message", ({ data }) => listener(data as ToUsageView)),
  };
}
