/** Gives this device the name and venue of a code that staff of the console have made. */
import { ApiError } from '@athos/client/errors';
import { client } from './http.ts';
import { asStaff } from './staff.ts';

export type EnrolOutcome =
  | { readonly kind: 'done'; readonly name: string; readonly venueName: string }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'too_many' }
  | { readonly kind: 'failed' };

/** Never rejects. */
export async function enrolDevice(code: string): Promise<EnrolOutcome> {
  try {
    const body = { enrolment_code: code };
    const { name, venue } = await asStaff(client.call('scannerEnrol', { body }));
    return { kind: 'done', name, venueName: venue.name };
  } catch (error) {
    const status = error instanceof ApiError ? error.status : undefined;
    if (status === 400 || status === 422) return { kind: 'wrong' };
    return { kind: status === 429 ? 'too_many' : 'failed' };
  }
}
