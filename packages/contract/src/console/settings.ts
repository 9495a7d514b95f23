/** The settings of the programme (packages/contract/src/programme.ts), including approval policies. */
import { z } from 'zod';
import { timeText } from '../values.ts';
import { policyOutcome, reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';

const settingKey = z.object({ id: z.string().regex(/^[a-z][a-z0-9_]{0,59}$/) });

export const settingCalls = {
  settings: {
    method: 'GET',
    path: '/admin/settings',
    auth: 'console',
    permission: 'settings.read',
    summary: 'The settings of the programme',
    answer: z.object({
      items: z.array(
        z
          .object({
            key: z.string(),
            about: z.string(),
            value: z.unknown(),
            by_default: z.unknown(),
            is_default: z.boolean(),
            /** The allowed range of its numbers: for each member of a policy, and under an empty name for a plain number. */
            bounds: z.array(z.object({ member: z.string(), min: z.number(), max: z.number() })),
            /** Null if it was never changed, or has been reset to its default. */
            changed: z
              .object({
                at: timeText,
                /** A member of staff, or the user of the command line. */
                by: z.string(),
              })
              .nullable(),
            /** The open request to change it. */
            approval_id: z.string().nullable(),
          })
          .meta({ id: 'ProgrammeSetting' }),
      ),
      /** Values from the server's environment. */
      installation: z.object({
        time_zone: z.string(),
        seal_mail_to: z.string().nullable(),
      }),
    }),
  },
  changeSetting: {
    method: 'POST',
    path: '/admin/settings/:id',
    auth: 'console',
    permission: 'settings.edit',
    proof: true,
    audit: { action: 'setting.change', subject: 'setting' },
    summary: 'Request another value for a setting',
    params: settingKey,
    body: z
      .object({
        /** Null resets the setting to its default. */
        value: z.json(),
        reason: reasonText,
      })
      .meta({ id: 'ChangeSetting' }),
    answer: policyOutcome({}),
  },
} as const satisfies ConsoleCalls;
