/** The parts of the programme that are stopped for everybody, each with its notice. */
import type { BrakeName } from '@athos/contract/brakes';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './http.ts';

/** Notices are only for information: the server refuses a stopped action at once. */
const POLL_MS = 60_000;

const programmeQuery = queryOptions({
  queryKey: ['programme'],
  queryFn: ({ signal }) => client.call('programme', { signal }),
  refetchInterval: POLL_MS,
});

interface Stopped {
  readonly what: BrakeName;
  readonly notice: string;
}

const NOTHING: readonly Stopped[] = [];

export const useStopped = (): readonly Stopped[] =>
  useQuery(programmeQuery).data?.stopped ?? NOTHING;
