import type { VoiceTraits } from "./speak.ts";

/** What words of a style prompt do to a voice. */
const styles: readonly {
  readonly words: RegExp;
  readonly pitch: number;
  readonly speed: number;
  readonly variant?: string;
}[] = [
  { words: /\bwhisper/, pitch: 1, speed: 0.9, variant: "whisper" },
  { words: /\bcroak|\bgrumpy|\bgruff/, pitch: 0.85, speed: 0.95, variant: "croak" },
  { words: /\b(excited|cheerful|happy|lively)/, pitch: 1.15, speed: 1.1 },
  { words: /\b(calm|sad|slow|tired|solemn)/, pitch: 0.92, speed: 0.85 },
  { words: /\b(fast|quick|hurried|rushed)/, pitch: 1, speed: 1.25 },
  { words: /\b(deep|low)\b/, pitch: 0.8, speed: 1 },
  { words: /\bhigh\b/, pitch: 1.25, speed: 1 },
];

/** A voice and a pace as a style prompt has them (spec E7); words that mean nothing here change nothing. */
export function styled(
  prompt: string,
  voice: VoiceTraits,
  speed: number,
): { voice: VoiceTraits; speed: number } {
  const found = styles.filter(({ words }) => words.test(prompt.toLowerCase()));
  return found.reduce(
    (now, style) => ({
      voice: { variant: style.variant ?? now.voice.variant, pitchHz: now.voice.pitchHz * style.pitch },
      speed: now.speed * style.speed,
    }),
    { voice, speed },
  );
}
