import { imageAmount } from "../../api/money/estimate.ts";
import { parseDraft, parseFromStudio, parseStrokes } from "../../shared/studioProtocol.ts";
import { parseFacts } from "./pictureFacts.ts";

/**
 * What of the studio reads messages, files and listings by their schemas. It lies in the bundle that has the schema
 * library already: another copy of it would be most of the studio's own.
 */
export const imageSchemas = { imageAmount, parseDraft, parseFromStudio, parseStrokes, parseFacts };
export type ImageSchemas = typeof imageSchemas;
