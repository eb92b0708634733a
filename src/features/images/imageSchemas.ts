import { imageAmount } from "../../api/money/estimate.ts";
import { parseDraft, parseFromStudio, parseStrokes } from "../../shared/studioProtocol.ts";
import { parseFacts } from "./pictureFacts.ts";

/**
 * Schemas for messages, files and listings of the studio. They are in the bundle that contains zod already: a copy
 * of it would be larger than the studio itself.
 */
export const imageSchemas = { imageAmount, parseDraft, parseFromStudio, parseStrokes, parseFacts };
export type ImageSchemas = typeof imageSchemas;
