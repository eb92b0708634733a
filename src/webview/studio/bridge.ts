import type { FromStudio, ToStudio } from "../../shared/studioProtocol.ts";

interface EditorApi {
  postMessage(message: FromStudio): void;
}

declare function acquireVsCodeApi(): EditorApi;

type BodyOf<Type extends FromStudio["type"]> = Extract<FromStudio, { readonly type: Type }>["body"];

/** The one place where the studio talks with its host. */
export interface StudioBridge {
  post<Type extends FromStudio["type"]>(type: Type, body: BodyOf<Type>): void;
  onMessage(listener: (message: ToStudio) => void): void;
}

export function createStudioBridge(): StudioBridge {
  const editor = acquireVsCodeApi();
  return {
    post: (type, body) => editor.postMessage({ v: 1, type, body } as FromStudio),
    onMessage: (listener) => window.addEventListener("message", ({ data }) => listener(data as ToStudio)),
  };
}
