/** The card provider's side of a story. */
import { addresses } from './addresses.ts';
import type { Account } from './accounts.ts';

/** Calls the provider's API as the programme does, or the sandbox's controls (`dev/sandbox/README.md`). */
async function ask<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(addresses.sandbox + path, init);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

export const control = <Answer = unknown>(path: string, body: object): Promise<Answer> =>
  ask(`/_sandbox/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const authorization = () => `Bearer ${addresses.secretKey}`;

/** The newest payment of this account. */
export async function intentOf({ uuid }: Account): Promise<string> {
  const { data } = await ask<{ data: { id: string; metadata: Record<string, string> }[] }>(
    '/v1/payment_intents?limit=20',
    { headers: { authorization: authorization() } },
  );
  const own = data.find(({ metadata }) => Object.values(metadata).includes(uuid));
  if (own === undefined) throw new Error(`The provider knows no payment of ${uuid}`);
  return own.id;
}

/** Changes the price of a payment at the provider, which no program of ours ever does. */
export const changePrice = (intentId: string, usdCents: number): Promise<unknown> =>
  ask(`/v1/payment_intents/${intentId}`, {
    method: 'POST',
    headers: { authorization: authorization() },
    body: new URLSearchParams({ amount: String(usdCents) }),
  });
