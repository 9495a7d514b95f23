import type { FastifyInstance } from 'fastify';
import { isBrakeKey } from '@athos/contract/brakes';
import { consoleApi } from '@athos/contract/console/calls';
import { PROGRAMME_SETTINGS, settingBounds } from '@athos/contract/programme';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import { selectStoredSettings } from '../../platform/settings/programme-settings.sql.ts';
import { selectPendingOf } from './approvals.sql.ts';
import { nameChangers } from './changers.sql.ts';
import { settingAction } from './change-setting.ts';
import { perform, type PerformDeps } from './perform.ts';

/** Reads the value as `policySchema` does: omitted limits of a policy have their defaults. */
const inForce = (stored: unknown, byDefault: unknown): unknown =>
  typeof byDefault === 'object' && typeof stored === 'object'
    ? { ...byDefault, ...stored }
    : (stored ?? byDefault);

export interface SettingRouteDeps extends ConsoleDeps, PerformDeps {
  readonly config: ConsoleDeps['config'] & {
    readonly console: { readonly timeZone: string; readonly sealMailTo: string | undefined };
  };
}

/** Brakes have calls of their own. */
const SETTINGS = Object.values(PROGRAMME_SETTINGS)
  .filter(({ key }) => !isBrakeKey(key))
  .map((setting) => ({
    ...setting,
    bounds: Array.from(settingBounds(setting), ([member, bounds]) => ({ member, ...bounds })),
  }));

async function listSettings({ db }: Pick<SettingRouteDeps, 'db'>) {
  const rows = await selectStoredSettings(
    db,
    SETTINGS.map(({ key }) => key),
  );
  const requests = await selectPendingOf(db, settingAction.name);
  const nameOf = await nameChangers(
    db,
    rows.map(({ by }) => by),
  );
  return SETTINGS.map(({ key, about, byDefault, bounds }) => {
    const stored = rows.find((row) => row.key === key);
    return {
      key,
      about,
      value: inForce(stored?.value, byDefault),
      by_default: byDefault,
      is_default: stored === undefined,
      bounds,
      changed: stored === undefined ? null : { at: stored.at.toISOString(), by: nameOf(stored.by) },
      approval_id: requests.get(key) ?? null,
    };
  });
}

export function registerSettingRoutes(app: FastifyInstance, deps: SettingRouteDeps): void {
  const { timeZone, sealMailTo } = deps.config.console;

  consoleEndpoint(app, deps, consoleApi.settings, async () => ({
    items: await listSettings(deps),
    installation: { time_zone: timeZone, seal_mail_to: sealMailTo ?? null },
  }));

  consoleEndpoint(app, deps, consoleApi.changeSetting, ({ params, body, ...act }) =>
    perform(deps, act, settingAction, {
      payload: { key: params.id, value: body.value },
      reason: body.reason,
    }),
  );
}
