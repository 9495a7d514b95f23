/** Brakes: one person stops a part of the programme at once; releasing it takes a second person. */
import { z } from 'zod';
import { BRAKES } from '../brakes.ts';
import { acceptedAnswer, timeText } from '../values.ts';
import { policyOutcome, reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';

const NOTICE_LENGTH_MAX = 300;
const brakeParam = z.object({ id: z.enum(BRAKES) });

export const brakeCalls = {
  brakes: {
    method: 'GET',
    path: '/admin/brakes',
    auth: 'console',
    permission: 'system.read',
    summary: 'What is stopped for everybody',
    answer: z.object({
      items: z.array(
        z
          .object({
            name: z.enum(BRAKES),
            /** Null while it is released. */
            pulled: z
              .object({
                notice: z.string(),
                reason: z.string(),
                at: timeText,
                /** A member of staff, or the user of the command line. */
                by: z.string(),
              })
              .nullable(),
            /** The open request to release it. */
            approval_id: z.string().nullable(),
          })
          .meta({ id: 'Brake' }),
      ),
    }),
  },
  pullBrake: {
    method: 'POST',
    path: '/admin/brakes/:id/pull',
    auth: 'console',
    permission: 'system.brake',
    proof: true,
    audit: { action: 'brake.pull', subject: 'brake' },
    summary: 'Stop a part of the programme for everybody at once',
    params: brakeParam,
    body: z
      .object({
        reason: reasonText,
        /** The text shown to customers. */
        notice: z
          .string()
          .trim()
          .min(10, 'must have at least 10 characters')
          .max(NOTICE_LENGTH_MAX),
      })
      .meta({ id: 'PullBrake' }),
    answer: acceptedAnswer,
  },
  releaseBrake: {
    method: 'POST',
    path: '/admin/brakes/:id/release',
    auth: 'console',
    permission: 'system.release',
    proof: true,
    audit: { action: 'brake.release', subject: 'brake' },
    summary: 'Request that a part of the programme goes on',
    params: brakeParam,
    body: z.object({ reason: reasonText }).meta({ id: 'ReleaseBrake' }),
    answer: policyOutcome({}),
  },
} as const satisfies ConsoleCalls;
