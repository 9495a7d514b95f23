/**
 * Brakes stop a part of the programme for everybody at once (decision 0032). They are settings of the programme, which every
 * process remembers, so asking costs no query.
 */
import { BRAKE_SETTINGS, type BrakeName } from '@athos/contract/brakes';
import { AppError } from '../errors.ts';
import type { ReadProgramme } from './programme-settings.ts';

/** The refusal while the brake is on; `undefined` otherwise. */
export async function brakeRefusal(
  programme: ReadProgramme,
  name: BrakeName,
): Promise<AppError | undefined> {
  const pulled = (await programme())[BRAKE_SETTINGS[name]];
  return pulled === null
    ? undefined
    : new AppError('stopped', { detail: pulled.notice, extra: { stopped: name } });
}

/** Throws `stopped`, with the notice for customers. Call it after the replay of a known key, which brakes do not affect. */
export async function requireReleased(programme: ReadProgramme, name: BrakeName): Promise<void> {
  const refusal = await brakeRefusal(programme, name);
  if (refusal !== undefined) throw refusal;
}
