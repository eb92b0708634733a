import type { FromStudio, ToStudio } from "../../shared/studioProtocol.ts";
import { type Bridge, createBridge } from "../parts/bridge.ts";

export type StudioBridge = Bridge<FromStudio, ToStudio>;
export const createStudioBridge = createBridge<FromStudio, ToStudio>;
