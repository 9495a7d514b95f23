/** Looks up the user behind a handle or a pay link, and the names that users show (decision 0067). */
import { queryClient } from '@athos/app-core/query-client';
import { ApiError } from '@athos/client/errors';
import { exactAthText, parseUnits, type TokenAsset } from '@athos/domain/money';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './http.ts';

export interface Recipient {
  readonly address: string;
  /** The user's display name, if they show it. */
  readonly name: string | undefined;
  /** The amount and note that the owner of a pay link asks for. */
  readonly pay: AskedFor | undefined;
}

export interface AskedFor {
  /** As typed: `12.5`. `undefined` means that the sender decides. */
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

/** `unknown`: no user can be found by this text. `failed`: there was no response. */
export type FoundRecipient =
  | { readonly status: 'found'; readonly recipient: Recipient }
  | { readonly status: 'unknown' | 'failed' | 'too_many' };

/** Looks up the user whom a handle or the code of a pay link names. Never rejects. */
export async function findRecipient(text: string): Promise<FoundRecipient> {
  try {
    const recipient = await ask(text);
    return recipient === undefined ? { status: 'unknown' } : { status: 'found', recipient };
  } catch (error) {
    const isTooMany = error instanceof ApiError && error.status === 429;
    return { status: isTooMany ? 'too_many' : 'failed' };
  }
}

/** Like `findRecipient`, for a link that is opened once. */
export const payLinkQuery = (code: string) =>
  queryOptions({
    queryKey: ['pay-link', code],
    queryFn: () => findRecipient(code),
    staleTime: Infinity,
    gcTime: 0,
  });

/**
 * Whether an account exists at this address. Without a response the result is true, because the server checks again: it refuses a send to
 * an unknown address, and nothing moves.
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

/** The display name of an address's owner, if they show it. It is requested once. */
export const useRecipientName = (address: string): string | undefined =>
  useQuery({ ...nameQuery(address), enabled: address !== '' }).data ?? undefined;

/** The same name if an earlier look-up has returned it. Makes no request. */
export const useFoundName = (address: string): string | undefined =>
  useQuery({ ...nameQuery(address), enabled: false }).data ?? undefined;
