import { useLayoutEffect, useReducer, useSyncExternalStore } from 'react';
import { useUserUuid } from '../../state/current-user.ts';
import { sendDraftOf, type SendDraft, type SendDraftStore } from '../../state/send-draft.ts';

/** The signed-in user's draft, with what changes it. */
export function useSendDraft(): { draft: SendDraft; store: SendDraftStore } {
  const store = sendDraftOf(useUserUuid());
  const draft = useSyncExternalStore(store.subscribe, store.get);
  // That subscription begins some time after the screen is drawn. A digit typed before would be taken back by React,
  // and `1.5` become `5`: this one is there with the first drawing.
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => store.subscribe(drawAgain), [store]);
  return { draft, store };
}
