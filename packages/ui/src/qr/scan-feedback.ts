/** The sound and vibration of a scan. The tones are synthesised, so no sound file has to be loaded. */

/** `offline`: recorded on this device, and not confirmed. */
export type ScanOutcome = 'success' | 'refused' | 'offline';

interface Tone {
  readonly hertz: number;
  readonly startMs: number;
  readonly lengthMs: number;
}

/** Two rising tones for success, one low tone for a refusal, and the same tone three times for an unconfirmed redemption. */
const TONES: Readonly<Record<ScanOutcome, readonly Tone[]>> = {
  success: [
    { hertz: 880, startMs: 0, lengthMs: 90 },
    { hertz: 1318.5, startMs: 90, lengthMs: 140 },
  ],
  refused: [{ hertz: 196, startMs: 0, lengthMs: 320 }],
  offline: [0, 140, 280].map((startMs) => ({ hertz: 587.3, startMs, lengthMs: 80 })),
};
const VIBRATION_MS: Readonly<Record<ScanOutcome, number[]>> = {
  success: [60],
  refused: [90, 70, 90],
  offline: [40, 60, 40, 60, 40],
};
const LOUDNESS = 0.14;
/** Fade-in and fade-out, which avoid clicks. */
const EDGE_S = 0.012;

let audio: AudioContext | undefined;

function play(context: AudioContext, { hertz, startMs, lengthMs }: Tone): void {
  const startS = context.currentTime + startMs / 1000;
  const endS = startS + lengthMs / 1000;
  const gain = context.createGain();
  gain.gain.setValueAtTime(0, startS);
  gain.gain.linearRampToValueAtTime(LOUDNESS, startS + EDGE_S);
  gain.gain.setValueAtTime(LOUDNESS, endS - EDGE_S);
  gain.gain.linearRampToValueAtTime(0, endS);
  const oscillator = context.createOscillator();
  oscillator.type = 'sine';
  oscillator.frequency.value = hertz;
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(startS);
  oscillator.stop(endS);
}

async function sound(outcome: ScanOutcome): Promise<void> {
  audio ??= new AudioContext();
  if (audio.state !== 'running') await audio.resume();
  for (const tone of TONES[outcome]) play(audio, tone);
}

/**
 * Plays and vibrates if the device can and the browser allows it. Always show the outcome as text too: a phone may be
 * muted, and a browser plays nothing before the first interaction with the page.
 */
export function playScanFeedback(outcome: ScanOutcome): void {
  (navigator as Partial<Navigator>).vibrate?.(VIBRATION_MS[outcome]);
  if (typeof AudioContext === 'undefined') return;
  sound(outcome).catch(() => undefined);
}
