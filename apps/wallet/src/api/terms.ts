/** The terms that the user has to accept, once the programme has published new ones. */
import { queryClient } from '@athos/app-core/query-client';
import { ApiError } from '@athos/client/errors';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { areTermsMissing } from '../state/terms.ts';
import { client } from './http.ts';

/** A user who moves value before the next poll learns of new terms from the server's refusal. */
const POLL_MS = 5 * 60_000;

const termsQuery = queryOptions({
  queryKey: ['terms'],
  queryFn: ({ signal }) => client.call('terms', { signal }),
  refetchInterval: POLL_MS,
});

/** The version that must be accepted; `undefined` if none is, or until it is known. */
export const useMustAccept = (): string | undefined =>
  useQuery(termsQuery).data?.must_accept ?? undefined;

export const refreshTerms = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: termsQuery.queryKey });

/** `changed`: newer terms came into force while these were read. */
export async function acceptTerms(version: string): Promise<'accepted' | 'changed' | 'failed'> {
  try {
    const { accepted_at: acceptedAt } = await client.call('acceptTerms', { body: { version } });
    areTermsMissing.set(false);
    queryClient.setQueryData(termsQuery.queryKey, {
      accepted_version: version,
      accepted_at: acceptedAt,
      must_accept: null,
    });
    return 'accepted';
  } catch (error) {
    void refreshTerms();
    return error instanceof ApiError && error.code === 'terms_changed' ? 'changed' : 'failed';
  }
}
