import type { VoiceTraits } from "./speak.ts";

/** The voices that every model of the sandbox is built of. */
export const voiceTraits: Readonly<Record<string, VoiceTraits>> = {
  ada: { variant: "f3", pitchHz: 205 },
  ben: { variant: "m3", pitchHz: 112 },
  cleo: { variant: "f5", pitchHz: 230 },
  dora: { variant: "f2", pitchHz: 180 },
  emil: { variant: "m7", pitchHz: 98 },
  finn: { variant: "m1", pitchHz: 130 },
  gwen: { variant: "f4", pitchHz: 215 },
};
