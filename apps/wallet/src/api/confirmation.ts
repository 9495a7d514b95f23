/** Confirming one act that the server has asked about: proves that the user is the one acting (decision 0071). */
import { ApiError } from '@athos/client/errors';
import type { BodyOf } from '@athos/contract/api';
import type { Problem } from '@athos/contract/problem';
import { parseUnits, TOKEN_ASSETS, type TokenAsset, type TokenUnits } from '@athos/domain/money';
import { normalizePassword } from '@athos/domain/password';
import { m } from '@athos/messages/messages';
import { client } from './http.ts';
import { choosePasskey } from './passkeys.ts';

/** The act that the server wants confirmed. */
export interface AskedAct {
  readonly act: Problem['action'];
  readonly actHash: string;
  readonly methods: NonNullable<Problem['methods']>;
  /** The amount that the act moves, if any. */
  readonly amountUnits: TokenUnits | undefined;
  readonly asset: TokenAsset;
  /** The receiver of a send. */
  readonly address: string;
}

const isAsset = (text: string | undefined): text is TokenAsset =>
  TOKEN_ASSETS.some((asset) => asset === text);

export const readAskedAct = (problem: Problem): AskedAct => ({
  act: problem.action,
  actHash: problem.action_hash ?? '',
  methods: problem.methods ?? [],
  amountUnits: problem.amount === undefined ? undefined : parseUnits(problem.amount),
  asset: isAsset(problem.asset) ? problem.asset : 'ATH',
  address: problem.to_uuid ?? '',
});

type Given = BodyOf<'confirm'>['proof'];

export type Proof =
  { readonly method: 'passkey' } | { readonly method: 'totp' | 'password'; readonly text: string };

/** `text`: the reason for the refusal. It is `undefined` if the user dismissed the passkey prompt. */
type Confirmed =
  | { readonly status: 'given'; readonly confirmation: string }
  | { readonly status: 'refused'; readonly text: string | undefined };

async function readProof(proof: Proof, actionHash: string): Promise<Given | undefined> {
  if (proof.method === 'totp') return { method: 'totp', code: proof.text.trim() };
  if (proof.method === 'password') {
    return { method: 'password', password: normalizePassword(proof.text) };
  }
  const options = await client.call('confirmOptions', { body: { action_hash: actionHash } });
  const passkey = await choosePasskey(options, false).catch(() => undefined);
  return passkey && { method: 'passkey', passkey };
}

function refusalText(error: unknown): string {
  if (!(error instanceof ApiError)) return m.security_confirm_failed();
  const { code, problem } = error;
  switch (code) {
    case 'incorrect_password':
      return m.security_confirm_wrong_password();
    case 'invalid_code':
      return m.security_confirm_wrong_code();
    case 'invalid_passkey':
      return m.security_confirm_wrong_passkey();
    case 'too_many_attempts':
    case 'too_many_requests':
      return m.errors_too_many({ seconds: problem?.retry_after_seconds ?? 60 });
    case undefined:
    default:
      return m.security_confirm_failed();
  }
}

/** Asks for a confirmation of the act with this hash. Never rejects. */
export async function confirmAct(actionHash: string, proof: Proof): Promise<Confirmed> {
  try {
    const given = await readProof(proof, actionHash);
    if (given === undefined) return { status: 'refused', text: undefined };
    const body = { action_hash: actionHash, proof: given };
    const { confirmation } = await client.call('confirm', { body });
    return { status: 'given', confirmation };
  } catch (error) {
    return { status: 'refused', text: refusalText(error) };
  }
}
