/** The programme's notices to everybody. */
import { z } from 'zod';
import { BRAKES } from '../brakes.ts';
import type { Calls } from '../call.ts';

export const programmeCalls = {
  programme: {
    method: 'GET',
    path: '/programme',
    auth: 'anyone',
    summary: 'What is stopped for everybody at the moment',
    answer: z
      .object({
        stopped: z.array(
          z.object({
            what: z.enum(BRAKES),
            /** Plain text for customers. */
            notice: z.string(),
          }),
        ),
      })
      .meta({ id: 'Programme' }),
  },
} as const satisfies Calls;
