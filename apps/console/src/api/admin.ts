/**
 * The console's data provider, the only file that handles cursors, versions, keys, proofs and approval requests. Screens name a
 * call of the contract and get its answer.
 */
import { queryClient } from '@athos/app-core/query-client';
import { ApiError } from '@athos/client/errors';
import { newIdempotencyKey } from '@athos/client/idempotency-key';
import { callTwice, outcomeOfError } from '@athos/client/outcome';
import type {
  ConsoleAnswerOf,
  ConsoleCallName,
  ConsoleQueryOf,
} from '@athos/contract/console/calls';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { askProof } from '../state/proof.ts';
import { ask, send, type AdminAnswer, type AdminInput, type AnyInput } from './call.ts';
import { pollPause } from './live-updates.ts';
import { camelName, fromWire, type Camel } from './naming.ts';
import { openActPlace, type OpenAct, type OpenActPlace } from './open-acts.ts';

/** The reason why something could not be read. */
export type Failure =
  | { readonly kind: 'offline' | 'not_found' | 'too_slow' | 'failed' }
  | { readonly kind: 'forbidden'; readonly permission: string | undefined };

function failureOf(error: unknown): Failure {
  if (!(error instanceof ApiError)) return { kind: 'offline' };
  if (error.status === 403) return { kind: 'forbidden', permission: error.problem?.permission };
  if (error.code === 'too_slow') return { kind: 'too_slow' };
  return { kind: error.status === 404 ? 'not_found' : 'failed' };
}

/** The calls that return a list. */
export type ListName = {
  [Name in ConsoleCallName]: ConsoleAnswerOf<Name> extends { next_cursor: string | null }
    ? Name
    : never;
}[ConsoleCallName];
type ItemsOf<Answer> = Answer extends { readonly items: readonly (infer Row)[] } ? Row : never;
export type RowOf<Name extends ListName> = ItemsOf<AdminAnswer<Name>>;
/** Filters and sort from the address of a list. The server checks their values. */
export type ListQuery<Name extends ListName> = {
  readonly [Key in Exclude<keyof Camel<NonNullable<ConsoleQueryOf<Name>>>, 'cursor'>]?: string;
};

interface Page<Row> {
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
  /** Some lists are not counted. */
  readonly count?: Count;
}

export interface Count {
  readonly value: number;
  readonly isAtLeast: boolean;
}

export interface AdminList<Row> {
  /** `undefined` until the first response. */
  readonly rows: readonly Row[] | undefined;
  readonly count: Count | undefined;
  /** The rows belong to the previous filters and stay until the new ones arrive. */
  readonly isStale: boolean;
  readonly failure: Failure | undefined;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  readonly reload: () => void;
}

/** A list, with the other values of its call's response. */
type CalledList<Name extends ListName> = AdminList<RowOf<Name>> & {
  /** The newest page; `undefined` until the first response. */
  readonly lastPage: AdminAnswer<Name> | undefined;
};

/**
 * The list of the object named by `params`, page after page. Rows stay while other filters load. Everything is read again after an action
 * and every `pollMs`.
 */
export function useAdminList<Name extends ListName>(
  name: Name,
  query: ListQuery<Name>,
  params: Readonly<Record<string, string>> = {},
  { pollMs }: { readonly pollMs?: number } = {},
): CalledList<Name> {
  const result = useInfiniteQuery({
    queryKey: [name, query, params],
    queryFn: async ({ pageParam, signal }) =>
      (await send(name, { params, query: { ...query, cursor: pageParam } }, { signal })) as Page<
        RowOf<Name>
      >,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: (previous) => previous,
    retryOnMount: false,
    refetchInterval: pollMs === undefined ? false : () => pollPause(name, pollMs),
  });
  return {
    rows: result.data?.pages.flatMap(({ items }) => items),
    count: result.data?.pages[0]?.count,
    lastPage: result.data?.pages.at(-1) as AdminAnswer<Name> | undefined,
    isStale: result.isPlaceholderData,
    failure: result.error === null ? undefined : failureOf(result.error),
    hasMore: result.hasNextPage,
    isLoadingMore: result.isFetchingNextPage,
    loadMore: () => void result.fetchNextPage(),
    reload: () => void result.refetch(),
  };
}

export interface AdminItem<Item> {
  readonly item: Item | undefined;
  readonly failure: Failure | undefined;
  readonly reload: () => void;
}

interface ItemOptions<Item> {
  /** The interval after which it is read again, for example while a job runs. */
  readonly pollMs?: (item: Item | undefined) => number | false;
  /** `false` makes no request for now. */
  readonly isAsked?: boolean;
}

/** One object. A versioned one carries the version that a change of it must name. */
export function useAdminItem<Name extends ConsoleCallName>(
  name: Name,
  input: AdminInput<Name>,
  { pollMs, isAsked = true }: ItemOptions<AdminAnswer<Name>> = {},
): AdminItem<AdminAnswer<Name>> {
  const result = useQuery({
    queryKey: [name, input],
    queryFn: ({ signal }) => ask(name, input, { signal }),
    enabled: isAsked,
    retryOnMount: false,
    refetchInterval: ({ state }) => {
      const pauseMs = pollMs?.(state.data) ?? false;
      return pauseMs === false ? false : pollPause(name, pauseMs);
    },
  });
  return {
    item: result.data,
    failure: result.error === null ? undefined : failureOf(result.error),
    reload: () => void result.refetch(),
  };
}

/** The outcome of an action. Only `done` and `requested` changed anything. */
export type ActionOutcome<Name extends ConsoleCallName> =
  | { readonly kind: 'done'; readonly answer: Exclude<AdminAnswer<Name>, Requested> }
  /** Above the policy: the request waits for approval. */
  | { readonly kind: 'requested'; readonly approvalId: string }
  /** Another person has changed it. `present` is its current state. */
  | { readonly kind: 'conflict'; readonly present: unknown }
  | {
      readonly kind: 'refused';
      readonly title: string;
      readonly detail: string;
      /** Errors by the JSON pointer of their field, such as `/reason`. */
      readonly errors: Readonly<Record<string, string>>;
    }
  /** There was no response. The same action with the same key can safely be repeated. */
  | { readonly kind: 'unknown' }
  /** This was not sent: another one on the same object, whose outcome was unknown, was repeated instead and has gone through. */
  | { readonly kind: 'earlier' }
  /** The person cancelled the proof. */
  | { readonly kind: 'cancelled' };

interface Requested {
  readonly outcome: 'requested';
  readonly approvalId: string;
}

const isRequested = (answer: unknown): answer is Requested =>
  typeof answer === 'object' &&
  answer !== null &&
  'outcome' in answer &&
  answer.outcome === 'requested';

type Refusal = Exclude<
  ActionOutcome<never>,
  { kind: 'done' | 'requested' | 'earlier' | 'cancelled' }
>;

/** `isRepeat`: the same key was sent before, and that outcome is still unknown. */
function refusalOf(error: unknown, isRepeat: boolean): Refusal {
  const outcome = outcomeOfError(error, isRepeat);
  if (outcome.status !== 'refused' || outcome.problem === undefined) return { kind: 'unknown' };
  const { code, title, detail, errors = [], present } = outcome.problem;
  if (code === 'version_conflict') return { kind: 'conflict', present: fromWire(present) };
  return {
    kind: 'refused',
    title,
    detail,
    errors: Object.fromEntries(errors.map(({ pointer, message }) => [camelName(pointer), message])),
  };
}

const isProofAsked = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'confirmation_required';

/** Sends the same request with the same key until there is a response, and asks for a proof if the server requires one (O-025). */
async function perform<Name extends ConsoleCallName>(
  name: Name,
  one: OpenAct,
  version: number | undefined,
  place: OpenActPlace,
): Promise<ActionOutcome<Name>> {
  const attempt = { key: one.key, ...(version !== undefined && { version }) };
  const isRepeat = place.get()?.key === one.key;
  for (;;) {
    // Before it is sent, because a reload would lose the key together with the answer.
    place.set(one);
    try {
      const answer = await callTwice(() => send(name, one.input, attempt));
      place.set(undefined);
      void queryClient.invalidateQueries();
      if (isRequested(answer)) return { kind: 'requested', approvalId: answer.approvalId };
      return { kind: 'done', answer: answer as Exclude<AdminAnswer<Name>, Requested> };
    } catch (error) {
      const refusal = refusalOf(error, isRepeat);
      if (refusal.kind !== 'unknown') place.set(undefined);
      if (!isProofAsked(error)) return refusal;
      if (!(await askProof())) return { kind: 'cancelled' };
    }
  }
}

interface Act<Name extends ConsoleCallName> {
  readonly run: (input: AdminInput<Name>, version?: number) => Promise<ActionOutcome<Name>>;
  readonly isPending: boolean;
}

/**
 * Performs an act under a key of its own. While the outcome of an earlier act on the same object is unknown, that one is repeated with its
 * key: the same content gets its answer, and another content is sent only if the earlier one was refused. A change that names a version
 * need not wait, because the server carries out only one of two such changes.
 */
async function act<Name extends ConsoleCallName>(
  name: Name,
  input: AnyInput,
  version: number | undefined,
): Promise<ActionOutcome<Name>> {
  const place = openActPlace(name, input.params);
  const open = place.get();
  if (open !== undefined && JSON.stringify(open.input) === JSON.stringify(input)) {
    return perform(name, open, version, place);
  }
  if (open !== undefined && version === undefined) {
    const earlier = await perform(name, open, version, place);
    if (earlier.kind === 'done' || earlier.kind === 'requested') return { kind: 'earlier' };
    if (earlier.kind !== 'refused') return earlier;
  }
  return perform(name, { input, key: newIdempotencyKey() }, version, place);
}

/** An action of the console, whose outcome it returns. */
export function useAdminAction<Name extends ConsoleCallName>(name: Name): Act<Name> {
  const [isPending, setIsPending] = useState(false);

  async function run(input: AdminInput<Name>, version?: number): Promise<ActionOutcome<Name>> {
    setIsPending(true);
    try {
      return await act(name, input as AnyInput, version);
    } finally {
      setIsPending(false);
    }
  }
  return { run, isPending };
}
