import type { FastifyInstance } from 'fastify';
import { isBrakeKey } from '@athos/contract/brakes';
import { consoleApi } from '@athos/contract/console/calls';
import { PROGRAMME_SETTINGS } from '@athos/contract/programme';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import { selectSettings } from '../../platform/settings/programme-settings.sql.ts';
import { settingAction } from './change-setting.ts';
import { perform, type PerformDeps } from './perform.ts';

/** As `policySchema` reads it: limits of a policy that are left out have their defaults. */
const inForce = (stored: unknown, byDefault: unknown): unknown =>
  typeof byDefault === 'object' && typeof stored === 'object'
    ? { ...byDefault, ...stored }
    : (stored ?? byDefault);

export function registerSettingRoutes(app: FastifyInstance, deps: ConsoleDeps & PerformDeps): void {
  consoleEndpoint(app, deps, consoleApi.settings, async () => {
    const stored = await selectSettings(deps.db);
    return {
      items: Object.values(PROGRAMME_SETTINGS)
        .filter(({ key }) => !isBrakeKey(key))
        .map(({ key, about, byDefault }) => ({
          key,
          about,
          value: inForce(stored.get(key), byDefault),
          by_default: byDefault,
          is_default: !stored.has(key),
        })),
    };
  });

  consoleEndpoint(app, deps, consoleApi.changeSetting, ({ params, body, ...act }) =>
    perform(deps, act, settingAction, {
      payload: { key: params.id, value: body.value },
      reason: body.reason,
    }),
  );
}
