// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const tones: { hertz: number; startS: number; endS: number }[] = [];
let audioState = 'running';
let resumeCount = 0;

class FakeAudio {
  readonly currentTime = 5;
  readonly destination = {};
  get state(): string {
    return audioState;
  }
  resume(): Promise<void> {
    resumeCount += 1;
    return audioState === 'forbidden'
      ? Promise.reject(new DOMException('not before a touch', 'NotAllowedError'))
      : Promise.resolve();
  }
  createGain() {
    const gain = { setValueAtTime: () => undefined, linearRampToValueAtTime: () => undefined };
    return { gain, connect: () => undefined };
  }
  createOscillator() {
    const tone = { hertz: 0, startS: 0, endS: 0 };
    return {
      type: '',
      frequency: {
        set value(hertz: number) {
          tone.hertz = hertz;
        },
      },
      connect: (node: unknown) => node,
      start: (startS: number) => void (tone.startS = startS),
      stop: (endS: number) => {
        tone.endS = endS;
        tones.push(tone);
      },
    };
  }
}

const vibrate = vi.fn<(pattern: number[]) => boolean>();

beforeEach(() => {
  vi.resetModules();
  tones.length = 0;
  audioState = 'running';
  resumeCount = 0;
  vibrate.mockClear();
  vi.stubGlobal('AudioContext', FakeAudio);
  vi.stubGlobal('navigator', { vibrate });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const play = async (outcome: 'success' | 'refused') => {
  const { playScanFeedback } = await import('./scan-feedback.ts');
  playScanFeedback(outcome);
  await Promise.resolve();
  await Promise.resolve();
};

describe('playScanFeedback', () => {
  it('plays rising tones for a success', async () => {
    await play('success');
    expect(tones.map(({ hertz }) => hertz)).toEqual([880, 1318.5]);
    expect(tones[0]?.endS).toBeCloseTo(5.09);
    expect(tones[1]?.startS).toBeCloseTo(5.09);
    expect(vibrate.mock.calls).toEqual([[[60]]]);
  });

  it('plays one low tone for a refusal', async () => {
    await play('refused');
    expect(tones.map(({ hertz }) => hertz)).toEqual([196]);
    expect(vibrate.mock.calls).toEqual([[[90, 70, 90]]]);
  });

  it('resumes a suspended audio context', async () => {
    audioState = 'suspended';
    await play('success');
    expect(resumeCount).toBe(1);
    expect(tones).toHaveLength(2);
  });

  it('is silent if the browser forbids sound or has none', async () => {
    audioState = 'forbidden';
    await play('success');
    expect(tones).toEqual([]);
    vi.stubGlobal('AudioContext', undefined);
    vi.stubGlobal('navigator', {});
    await play('success');
    expect(tones).toEqual([]);
  });
});
