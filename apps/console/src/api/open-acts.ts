/**
 * Acts whose outcome is unknown. They outlive the dialogs that began them, and while one is open nothing else is done to its object: a
 * second key for the same intent could move value twice.
 */
import type { ConsoleCallName } from '@athos/contract/console/calls';
import { session } from '../state/session.ts';
import type { AnyInput } from './call.ts';

export interface OpenAct {
  readonly input: AnyInput;
  readonly key: string;
}

const acts = new Map<string, OpenAct>();

/** As when the page is loaded again. */
export const forgetOpenActs = (): void => acts.clear();

export interface OpenActPlace {
  /** The act on this object whose outcome is unknown. */
  get(): OpenAct | undefined;
  set(act: OpenAct | undefined): void;
}

/** The place of the signed-in person's acts of this kind on the object that `params` names. */
export function openActPlace(name: ConsoleCallName, params: AnyInput['params'] = {}): OpenActPlace {
  const current = session.get();
  const staffId = 'staff' in current ? current.staff.id : '';
  const place = JSON.stringify([staffId, name, params]);
  return {
    get: () => acts.get(place),
    set: (act) => void (act === undefined ? acts.delete(place) : acts.set(place, act)),
  };
}
