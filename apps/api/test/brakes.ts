import { expect } from 'vitest';
import { BRAKE_SETTINGS, brakeKey, type BrakeName } from '@athos/contract/brakes';
import { changeProgramme } from '../src/platform/settings/programme-settings.ts';
import type { TestApp } from './test-app.ts';

/** Pulls a brake, or releases it with `null`, and waits until this process knows. */
export async function setBrake(
  { deps }: TestApp,
  name: BrakeName,
  value: { readonly notice: string } | null,
): Promise<void> {
  await changeProgramme(deps.db, { key: brakeKey(name), value, by: 'test', at: new Date() });
  const notice = async () => (await deps.programme())[BRAKE_SETTINGS[name]]?.notice;
  await expect.poll(notice).toBe(value?.notice);
}
