import type { Device } from '@athos/ui/theme/device';
import type { ImpactStyle } from '@capacitor/haptics';
import type { NativeLog } from './native-log.ts';
import { clipboard, haptics, keepAwake, screenBrightness } from './plugins.ts';
import { saveByShareSheet } from './saved-files.ts';

const BRIGHTEST = 1;

/** Brightness before the first of the codes that are displayed now. */
let before: Promise<number> | undefined;
let holderCount = 0;

async function brighten(): Promise<void> {
  before ??= screenBrightness.getBrightness().then(({ brightness }) => brightness);
  await before;
  if (holderCount > 0) await screenBrightness.setBrightness({ brightness: BRIGHTEST });
}

async function dim(): Promise<void> {
  const brightness = await before;
  if (holderCount > 0 || brightness === undefined) return;
  before = undefined;
  await screenBrightness.setBrightness({ brightness });
}

/** The device as seen by the packaged app. Actions that the phone refuses are logged and otherwise ignored. */
export function createNativeDevice(log: NativeLog): Device {
  const tryTo = (what: string, action: Promise<unknown>): void =>
    void action.catch((error: unknown) => log(`${what}_failed`, { error: String(error) }));

  return {
    copyText: (text) => clipboard.write({ string: text }),
    saveFile: (content, name) => saveByShareSheet(log, { content, name }),
    tick: () => tryTo('haptics', haptics.impact({ style: 'LIGHT' as ImpactStyle })),
    lightScreen() {
      holderCount += 1;
      tryTo('keep_awake', keepAwake.keepAwake());
      tryTo('brightness', brighten());
      return () => {
        holderCount -= 1;
        if (holderCount > 0) return;
        tryTo('keep_awake', keepAwake.allowSleep());
        tryTo('brightness', dim());
      };
    },
  };
}
