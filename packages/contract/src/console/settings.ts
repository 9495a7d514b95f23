/** The settings of the programme (packages/contract/src/programme.ts), policies of approval among them. */
import { z } from 'zod';
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
          })
          .meta({ id: 'ProgrammeSetting' }),
      ),
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
        /** Null returns the setting to its default. */
        value: z.json(),
        reason: reasonText,
      })
      .meta({ id: 'ChangeSetting' }),
    answer: policyOutcome({}),
  },
} as const satisfies ConsoleCalls;
