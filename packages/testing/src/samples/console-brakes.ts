/** The brakes of the programme, as the API returns them to the console. */
import { BRAKES, type BrakeName } from '@athos/contract/brakes';
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';

/** All are released except `pulled`. */
export const brakes = (pulled?: BrakeName, approvalId?: string): ConsoleAnswerOf<'brakes'> => ({
  items: BRAKES.map((name) => ({
    name,
    pulled:
      name === pulled
        ? {
            notice: 'We are checking our prices. Please come back in an hour.',
            reason: 'The feed says ten times the usual rate.',
            at: new Date(Date.now() - 600_000).toISOString(),
            by: 'Mara Lindqvist',
          }
        : null,
    approval_id: name === pulled ? (approvalId ?? null) : null,
  })),
});

export const brakeAnswers: Handlers = {
  brakes: () => brakes(),
  pullBrake: () => ({ success: true }),
  releaseBrake: () => ({
    outcome: 'requested',
    approval_id: '0192f0f0-0000-7000-8000-000000000001',
    expires_at: new Date(Date.now() + 259_200_000).toISOString(),
    votes_needed: 1,
  }),
};
