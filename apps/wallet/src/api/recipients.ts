/** Who is meant by a handle or a pay link, and what people call themselves (decision 0067). */
import { queryClient } from '@athos/app-core/query-client';
import { ApiError } from '@athos/client/errors';
import { exactAthText, parseUnits, type TokenAsset } from '@athos/domain/money';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './http.ts';

export interface Recipient {
  readonly address: string;
  /** What they call themselves, where they let it be seen. */
  readonly name: string | undefined;
  /** What the owner of a pay link asks for. */
  readonly pay: AskedFor | undefined;
}

export interface AskedFor {
  /** As it is typed: `12.5`. `undefined`: the sender decides. */
  readonly amount: string | undefined;
  readonly asset: TokenAsset;
  readonly note: string;
}

const nameKey = (address: string) => ['recipient-name', address] as const;

async function ask(text: string): Promise<Recipient | undefined> {
  const { uuid, name, pay } = await client.call('recipient', { body: { text } });
  if (uuid === null) return undefined;
  queryClient.setQueryData(nameKey(uuid), name ?? null);
  return {
    address: uuid,
    name,
    pay: pay && {
      amount: pay.amount === null ? undefined : exactAthText(parseUnits(pay.amount)),
      asset: pay.asset,
      note: pay.note,
    },
  };
}

/** `unknown`: nobody lets themselves be found by it. `failed`: there was no answer. */
export type FoundRecipient =
  | { readonly status: 'found'; readonly recipient: Recipient }
  | { readonly status: 'unknown' | 'failed' | 'too_many' };

/** Looks up whom a handle or the code of a pay link names. Never rejects. */
export async function findRecipient(text: string): Promise<FoundRecipient> {
  try {
    const recipient = await ask(text);
    return recipient === undefined ? { status: 'unknown' } : { status: 'found', recipient };
  } catch (error) {
    const isTooMany = error instanceof ApiError && error.status === 429;
    return { status: isTooMany ? 'too_many' : 'failed' };
  }
}

/** As `findRecipient`, for a link that is opened once. */
export const payLinkQuery = (code: string) =>
  queryOptions({
    queryKey: ['pay-link', code],
    queryFn: () => findRecipient(code),
    staleTime: Infinity,
    gcTime: 0,
  });

/**
 * Whether somebody can receive at this address. Without an answer it says yes, because the send asks again: it is refused
 * and moves nothing if nobody is there.
 */
export const canReceive = async (address: string): Promise<boolean> =>
  (await findRecipient(address)).status !== 'unknown';

const nameQuery = (address: string) =>
  queryOptions({
    queryKey: nameKey(address),
    queryFn: async () => (await ask(address))?.name ?? null,
    staleTime: Infinity,
    retry: false,
  });

/** What the owner of an address calls themselves, if they let it be seen; it is asked for once. */
export const useRecipientName = (address: string): string | undefined =>
  useQuery({ ...nameQuery(address), enabled: address !== '' }).data ?? undefined;

/** The same, as far as it was told already. It costs no look-up. */
export const useFoundName = (address: string): string | undefined =>
  useQuery({ ...nameQuery(address), enabled: false }).data ?? undefined;
