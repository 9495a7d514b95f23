/** How others see and find the account (decision 0067). */
import { queryClient } from '@athos/app-core/query-client';
import { ApiError } from '@athos/client/errors';
import type { AnswerOf } from '@athos/contract/api';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { queryOptions } from '@tanstack/react-query';
import { client } from './http.ts';

export interface PublicProfile {
  readonly displayName: string;
  readonly showsName: boolean;
  /** Without the `@`; empty if there is none. */
  readonly handle: string;
  /** ISO 8601; `undefined` if another one can be chosen now. */
  readonly handleChangesAt: string | undefined;
  readonly isFindable: boolean;
}

const read = (wire: AnswerOf<'publicProfile'>): PublicProfile => ({
  displayName: wire.display_name ?? '',
  showsName: wire.shows_name,
  handle: wire.handle ?? '',
  handleChangesAt: wire.handle_changes_at ?? undefined,
  isFindable: wire.is_findable,
});

export const publicProfileQuery = queryOptions({
  queryKey: ['public-profile'],
  queryFn: async ({ signal }) => read(await client.call('publicProfile', { signal })),
});

/** The error text; `undefined` if the change succeeded. */
type Fault = string | undefined;

function faultText(error: unknown): string {
  if (!(error instanceof ApiError)) return m.profile_failed();
  switch (error.code) {
    case 'invalid_request':
      return error.problem?.detail ?? m.profile_failed();
    case 'handle_taken':
      return m.profile_handle_taken();
    case 'handle_changed_lately':
      return m.profile_handle_lately();
    case 'too_many_requests':
      return m.profile_handle_too_many();
    case undefined:
    default:
      return m.profile_failed();
  }
}

async function change(act: () => Promise<AnswerOf<'publicProfile'>>): Promise<Fault> {
  try {
    queryClient.setQueryData(publicProfileQuery.queryKey, read(await act()));
    toasts.attempt('profile')('success', m.profile_saved(), 3000);
    return undefined;
  } catch (error) {
    return faultText(error);
  }
}

/** An empty name removes the present one. */
export const saveName = (name: string, showsName: boolean): Promise<Fault> =>
  change(() =>
    client.call('setDisplayName', {
      body: { display_name: name.trim() === '' ? null : name, shows_name: showsName },
    }),
  );

/** An empty handle gives up the present one. */
export const saveHandle = (handle: string, isFindable: boolean): Promise<Fault> =>
  change(() =>
    client.call('setHandle', {
      body: { handle: handle.trim() === '' ? null : handle, is_findable: isFindable },
    }),
  );
