import { describe, expect, it } from 'vitest';
import { api } from '../api.ts';
import { consoleApi } from './calls.ts';
import type { ConsoleCall } from './console-call.ts';
import {
  BUILT_IN_GRANTS,
  BUILT_IN_ROLES,
  combineGrants,
  isWriting,
  mayAct,
  mayDecide,
  PERMISSIONS,
  rolesWith,
  type Permission,
} from './permissions.ts';

const calls: readonly [string, ConsoleCall][] = Object.entries(consoleApi);
const heldBy = (role: keyof typeof BUILT_IN_GRANTS): Permission[] =>
  PERMISSIONS.filter((permission) => BUILT_IN_GRANTS[role][permission] !== undefined);

describe('the table of permissions', () => {
  it('[O-028] says for each of the seven roles what it may do, what needs a request, and what it decides', () => {
    expect(BUILT_IN_ROLES).toHaveLength(7);
    expect(BUILT_IN_GRANTS.finance['customers.adjust']).toBe('◐✔');
    expect(BUILT_IN_GRANTS.support['customers.adjust']).toBe('◐');
    expect(BUILT_IN_GRANTS.provider_owner['customers.adjust']).toBe('✔');
    expect(BUILT_IN_GRANTS.catalogue_editor['customers.adjust']).toBeUndefined();
    expect(rolesWith('audit.read')).toEqual(['provider_owner', 'auditor']);
    expect(rolesWith('payments.refund')).toEqual(['finance', 'support']);
    expect(mayDecide('✔') && !mayAct('✔') && mayAct('◐') && !mayDecide('◐')).toBe(true);
  });

  it('has no permission that nobody may use, and no decisions that nobody may request', () => {
    expect(PERMISSIONS.filter((permission) => rolesWith(permission).length === 0)).toEqual([]);
  });

  it('never mixes `●` with another mark in one row, so that marks of two roles combine', () => {
    const mixed = PERMISSIONS.filter((permission) => {
      const marks = new Set(BUILT_IN_ROLES.map((role) => BUILT_IN_GRANTS[role][permission]));
      return marks.has('●') && (marks.has('◐') || marks.has('✔') || marks.has('◐✔'));
    });
    expect(mixed).toEqual([]);
    const { finance, support, provider_owner: owner } = BUILT_IN_GRANTS;
    expect(combineGrants([support, owner])['customers.adjust']).toBe('◐✔');
    expect(combineGrants([support, finance])['customers.erase']).toBe('◐');
    expect(combineGrants([owner, owner])['customers.adjust']).toBe('✔');
    expect(combineGrants([])).toEqual({});
  });

  it('[O-030] gives the auditor no permission that writes', () => {
    expect(heldBy('auditor').filter(isWriting)).toEqual([]);
    expect(heldBy('support').filter(isWriting)).not.toEqual([]);
    const changing = calls.flatMap(([name, call]) =>
      call.auth === 'console' && call.method !== 'GET' && call.permission.endsWith('.read')
        ? [name]
        : [],
    );
    // Who may vote on a request, or act on many customers, follows from the permission for the action.
    expect(changing.toSorted()).toEqual([
      'approveRequest',
      'previewBulk',
      'rejectRequest',
      'startBulk',
      'stopBulk',
      'withdrawRequest',
    ]);
  });
});

describe('the calls of the console', () => {
  it('have one address each, below /admin', () => {
    const addresses = calls.map(([, { method, path }]) => `${method} ${path}`);
    expect(new Set(addresses).size).toBe(addresses.length);
    expect(addresses.filter((address) => !/^[A-Z]+ \/admin\//.test(address))).toEqual([]);
  });

  it('share no name with a call of the apps, because tests and samples tell calls apart by name', () => {
    expect(Object.keys(consoleApi).filter((name) => name in api)).toEqual([]);
  });

  it('name an audit action of two words for every write', () => {
    const actions = calls.flatMap(([, call]) =>
      call.auth === 'console' && call.method !== 'GET' ? [call.audit.action] : [],
    );
    expect(actions.filter((action) => !/^[a-z_]+\.[a-z_]+$/.test(action))).toEqual([]);
  });
});
