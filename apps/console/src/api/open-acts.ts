/**
 * Acts whose outcome is unknown. They outlive the dialogs that began them and a reload of the page, and while one is open nothing else is
 * done to its object: a second key for the same intent could move value twice.
 */
import { sessionStore, type Store } from '@athos/app-core/storage';
import type { ConsoleCallName } from '@athos/contract/console/calls';
import { consoleRoutes } from '@athos/contract/gen/console-routes';
import { uuidTimeMs } from '@athos/domain/uuid';
import { session } from '../state/session.ts';
import type { AnyInput } from './call.ts';

export interface OpenAct {
  readonly input: AnyInput;
  readonly key: string;
}

/** The server answers a repeated key for seven days. After that it would act again. */
const OPEN_MAX_MS = 86_400_000;

const inMemory = new Map<string, string>();

/** As when the page is loaded again. */
export const forgetMemory = (): void => inMemory.clear();

const memoryStore: Pick<Store, 'read' | 'write' | 'remove'> = {
  read: (place) => inMemory.get(place) ?? null,
  write: (place, text) => void inMemory.set(place, text),
  remove: (place) => void inMemory.delete(place),
};

/** Acts on one's own account contain codes and passwords, which no storage may hold. */
const isOwnAccount = (name: ConsoleCallName): boolean => consoleRoutes[name].includes(' /admin/me');

/** Returns undefined for text that another version or a person wrote, and for an act that is too old to be repeated. */
function parseAct(text: string | null): OpenAct | undefined {
  try {
    const { input, key } = JSON.parse(text ?? 'null') as Partial<OpenAct>;
    if (typeof input !== 'object' || typeof key !== 'string') return undefined;
    const madeAtMs = uuidTimeMs(key) ?? 0;
    return Date.now() - madeAtMs < OPEN_MAX_MS ? { input, key } : undefined;
  } catch {
    return undefined;
  }
}

export interface OpenActPlace {
  /** The act on this object whose outcome is unknown. */
  get(): OpenAct | undefined;
  set(act: OpenAct | undefined): void;
}

/** The place of the signed-in person's acts of this kind on the object that `params` names. */
export function openActPlace(name: ConsoleCallName, params: AnyInput['params'] = {}): OpenActPlace {
  const current = session.get();
  const staffId = 'staff' in current ? current.staff.id : '';
  const place = `open-act ${JSON.stringify([staffId, name, params])}`;
  const store = isOwnAccount(name) ? memoryStore : sessionStore;
  return {
    get: () => parseAct(store.read(place)),
    set(act) {
      if (act === undefined) store.remove(place);
      else store.write(place, JSON.stringify(act));
    },
  };
}
