/** Formats of the spec (E7) that the sandbox can write. */
export const writtenFormats = ["mp3", "opus", "wav", "pcm"] as const;
export type WrittenFormat = (typeof writtenFormats)[number];
