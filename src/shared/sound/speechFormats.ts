/** Audio formats of the service (spec E7). */
export const speechFormats = ["mp3", "opus", "aac", "flac", "wav", "pcm"] as const;
export type SpeechFormat = (typeof speechFormats)[number];
