import { useSyncExternalStore } from 'react';
import { useUserUuid } from '../../state/current-user.ts';
import { sendDraftOf, type SendDraft, type SendDraftStore } from '../../state/send-draft.ts';

/** The signed-in user's draft, with what changes it. */
export function useSendDraft(): { draft: SendDraft; store: SendDraftStore } {
  const store = sendDraftOf(useUserUuid());
  return { draft: useSyncExternalStore(store.subscribe, store.get), store };
}
