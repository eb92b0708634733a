import type { PictureFacts, StudioDraft } from "../../shared/studioState.ts";

/** What was set in the studio when a picture was made; its inputs are not part of that. */
export function draftOf({ choices, model, prompt, way }: PictureFacts): Partial<StudioDraft> {
  const text = (member: string) => String(choices[member] ?? "");
  return {
    prompt,
    ...(way === "generate" ? { generateModel: model } : { editModel: model }),
    size: text("size"),
    ratio: text("aspect_ratio"),
    resolution: text("resolution"),
    quality: text("quality"),
    format: text("output_format"),
    enhances: choices.enhance_prompt === true,
    blursAdult: choices.moderation !== "low" && choices.safe_mode !== false,
  };
}
