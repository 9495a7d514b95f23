/** What a scan sounds and feels like: made on the spot, so that no file has to be there first. */

export type ScanOutcome = 'success' | 'refused';

interface Tone {
  readonly hertz: number;
  readonly startMs: number;
  readonly lengthMs: number;
}

/** Rising for success, one low tone for a refusal: told apart without looking, and without a word. */
const TONES: Readonly<Record<ScanOutcome, readonly Tone[]>> = {
  success: [
    { hertz: 880, startMs: 0, lengthMs: 90 },
    { hertz: 1318.5, startMs: 90, lengthMs: 140 },
  ],
  refused: [{ hertz: 196, startMs: 0, lengthMs: 320 }],
};
const VIBRATION_MS: Readonly<Record<ScanOutcome, number[]>> = {
  success: [60],
  refused: [90, 70, 90],
};
const LOUDNESS = 0.14;
/** Without a rise and a fall a tone cracks. */
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
 * Sounds and vibrates where the device can and may. It never stands alone: what happened is also to be read, because a
 * phone may be muted and a browser plays nothing before the page was touched.
 */
export function playScanFeedback(outcome: ScanOutcome): void {
  (navigator as Partial<Navigator>).vibrate?.(VIBRATION_MS[outcome]);
  if (typeof AudioContext === 'undefined') return;
  sound(outcome).catch(() => undefined);
}
