/**
 * A draft of an action that moves value, together with its intent. The draft is kept in its tab and survives reloads.
 * While its outcome is unknown it moves to local storage, where every tab sees it: an app that was closed meanwhile
 * restores it with its key.
 */
import { followKey, localStore, sessionStore } from '../storage.ts';
import { createValue, type ReadonlyValue } from '../value.ts';
import { isFrozen, openIntent, type Intent, type IntentPlace, type IntentStore } from './intent.ts';

export interface DraftKind<Draft> {
  readonly empty: Draft;
  /** Parses stored text, which another version of the app or a user may have written. */
  readonly parse: (stored: Readonly<Record<string, unknown>>) => Draft;
  readonly isSame: IntentPlace<Draft>['isSame'];
}

export interface DraftStore<Draft, Data = unknown> extends ReadonlyValue<Draft> {
  /** The state of the intent that was last submitted. */
  readonly intent: Pick<IntentStore<Draft, Data>, 'get' | 'subscribe' | 'reset'>;
  /** Does nothing while the outcome is unknown. */
  readonly change: (fields: Partial<Draft>) => void;
  /** Submits the confirmed draft; see `IntentStore.ask`. */
  readonly submit: (
    call: Parameters<IntentStore<Draft, Data>['ask']>[1],
  ) => ReturnType<IntentStore<Draft, Data>['ask']>;
  readonly close: () => void;
}

/** The draft with the key of its last submission, if there was one. */
interface Stored<Draft> {
  readonly draft: Draft;
  readonly key: string | undefined;
}

function parse<Draft>(text: string | null, kind: DraftKind<Draft>): Stored<Draft> | undefined {
  try {
    const stored: unknown = JSON.parse(text ?? 'null');
    if (typeof stored !== 'object' || stored === null) return undefined;
    const fields = stored as Readonly<Record<string, unknown>>;
    const { key } = fields;
    return { draft: kind.parse(fields), key: typeof key === 'string' ? key : undefined };
  } catch {
    return undefined;
  }
}

/** Where a draft and its intent are kept. */
function openPlace<Draft extends object>(storageKey: string, kind: DraftKind<Draft>) {
  /** Holds the key that was done last, for the tabs that keep a copy of its draft. */
  const doneKey = `${storageKey}:done`;
  const readTab = () => parse(sessionStore.read(storageKey), kind);
  const draft = createValue(readTab()?.draft ?? kind.empty);

  function keepInTab(next: Draft, key: string | undefined): void {
    draft.set(next);
    sessionStore.write(storageKey, JSON.stringify({ ...next, ...(key !== undefined && { key }) }));
  }

  function clearTab(): void {
    draft.set(kind.empty);
    sessionStore.remove(storageKey);
  }

  function read(): Intent<Draft> | undefined {
    const onDevice = parse(localStore.read(storageKey), kind);
    if (onDevice?.key !== undefined) {
      return { key: onDevice.key, content: onDevice.draft, isAsked: true };
    }
    const inTab = readTab();
    return inTab?.key === undefined
      ? undefined
      : { key: inTab.key, content: inTab.draft, isAsked: false };
  }

  function write(intent: Intent<Draft> | undefined): void {
    if (intent === undefined) {
      const done = read()?.key;
      // Before the removal, which is what the other tabs hear of.
      if (done !== undefined) localStore.write(doneKey, done);
      clearTab();
      localStore.remove(storageKey);
      return;
    }
    const { key, content, isAsked } = intent;
    // Tabs that still run an earlier build read `isOpen`.
    if (isAsked) localStore.write(storageKey, JSON.stringify({ ...content, key, isOpen: true }));
    else localStore.remove(storageKey);
    keepInTab(content, key);
  }

  /** Whether the tab still keeps a draft that was done, which only another tab can have done. */
  function isDone(): boolean {
    const key = readTab()?.key;
    return key !== undefined && key === localStore.read(doneKey);
  }

  return { draft, readTab, keepInTab, clearTab, read, write, isDone, isSame: kind.isSame };
}

export function openDraft<Draft extends object, Data = unknown>(
  storageKey: string,
  kind: DraftKind<Draft>,
): DraftStore<Draft, Data> {
  const place = openPlace(storageKey, kind);
  const { draft } = place;
  const intent = openIntent<Draft, Data>(place);

  /** A replay of a key that another tab has finished would be shown as sent, although nothing moved. */
  function dropDone(): void {
    if (intent.get().status === 'asking' || !place.isDone()) return;
    place.clearTab();
    intent.reset();
  }

  /** Follows what another tab submitted or settled. */
  function follow(): void {
    const stored = place.read();
    if (stored?.isAsked) place.keepInTab(stored.content, stored.key);
    else dropDone();
    intent.follow();
  }
  follow();

  const unfollow = followKey(storageKey, (isCleared) => {
    // Storage was cleared together with the account.
    if (isCleared) draft.set(kind.empty);
    follow();
  });

  return {
    get: draft.get,
    subscribe: draft.subscribe,
    intent,
    change(fields) {
      if (isFrozen(intent.get())) return;
      const before = place.readTab();
      const next = { ...draft.get(), ...fields };
      const isSame = before !== undefined && kind.isSame(before.draft, next);
      place.keepInTab(next, isSame ? before.key : undefined);
      intent.reset();
    },
    async submit(call) {
      const state = await intent.ask(draft.get(), call);
      // While this tab was asking, it did not follow the others.
      dropDone();
      return state;
    },
    close: unfollow,
  };
}
