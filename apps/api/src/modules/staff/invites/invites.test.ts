import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { SoftwareAuthenticator } from '../../../../test/software-authenticator.ts';
import {
  askAsGuest,
  invitePerson,
  sessionOf,
  STAFF_PASSWORD,
} from '../../../../test/staff-accounts.ts';
import {
  createTestApp,
  stopClock,
  type TestAnswer,
  type TestApp,
} from '../../../../test/test-app.ts';
import { inviteOwner } from './invite-command.ts';

const DAY_MS = 86_400_000;
const REASON = 'They join the support team.';
const outcomeOf = ({ status, body }: TestAnswer) => [status, body.code ?? 'ok'];
const INVALID = [422, 'invalid_code'];

let test: TestApp;
let advance: (byMs: number) => void;
beforeAll(async () => {
  test = await createTestApp();
});
beforeEach(() => {
  advance = stopClock(test);
  test.mails.length = 0;
});
afterAll(() => test.close());

const accept = (code: string, more: object = { password: STAFF_PASSWORD }): Promise<TestAnswer> =>
  askAsGuest(test, 'acceptInvite', { code, name: 'Ada Lovelace', ...more });
const codeOf = (url: string): string => new URL(url).hash.slice(1);
/** The code in the last mailed link. */
const mailedCode = (): string =>
  codeOf(/http\S+#[\w-]{43}/.exec(test.mails.at(-1)?.text ?? '')?.[0] ?? 'http://none');

describe('an invite', () => {
  it('[O-004] is accepted once, even by twenty at once', async () => {
    const { code, email } = await invitePerson(test, ['support']);
    const look = await askAsGuest(test, 'invite', { code });
    expect(look.body).toMatchObject({
      email,
      organisation: 'provider',
      roles: [{ id: 'support', title: 'Support' }],
      has_passkeys: true,
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(outcomeOf(await accept(code))).toEqual(INVALID);
    expect(outcomeOf(await askAsGuest(test, 'invite', { code }))).toEqual(INVALID);
  });

  it("[O-005] is refused when it is older than '24 h', and not before", async () => {
    const { code } = await invitePerson(test, ['support']);
    const late = await invitePerson(test, ['support']);
    advance(DAY_MS - 1);
    expect((await accept(code)).status).toBe(200);
    advance(1);
    expect(outcomeOf(await accept(late.code))).toEqual(INVALID);
    expect(outcomeOf(await askAsGuest(test, 'invite', { code: late.code }))).toEqual(INVALID);
  });

  it("[O-014] refuses a password of fewer than '12' characters", async () => {
    const { code } = await invitePerson(test, ['support']);
    for (const password of ['', 'elevenchars', ' elevenchars ']) {
      expect(outcomeOf(await accept(code, { password }))).toEqual([400, 'invalid_request']);
    }
    expect((await accept(code, { password: 'twelve chars' })).status).toBe(200);
  });

  it('takes a password or a passkey, and opens a full session only for a passkey', async () => {
    const invited = await invitePerson(test, ['support']);
    const { code } = invited;
    const origin = test.deps.config.console.origin;
    const options = await askAsGuest(test, 'invitePasskeyOptions', { code, name: 'Ada' });
    const passkey = new SoftwareAuthenticator(origin).create(options.body);
    for (const more of [{}, { password: STAFF_PASSWORD, passkey }]) {
      expect(outcomeOf(await accept(code, more))).toEqual([400, 'invalid_request']);
    }
    const foreign = await invitePerson(test, ['support']);
    expect(outcomeOf(await accept(foreign.code, { passkey }))).toEqual([422, 'invalid_passkey']);
    const fresh = await askAsGuest(test, 'invitePasskeyOptions', { code, name: 'Ada' });
    const made = new SoftwareAuthenticator(origin).create(fresh.body);
    const answer = await accept(code, { passkey: made });
    expect(answer.body).toEqual({ is_enrolled: true });
    const me = (await (await sessionOf(test, invited, answer)).call('me')).body;
    expect(me).toMatchObject({ name: 'Ada Lovelace', has_password: false });
  });

  it('is refused if the person has been suspended or invited again since', async () => {
    const owner = await consoleAs(test, ['provider_owner']);
    const { code, staffId } = await invitePerson(test, ['support']);
    await owner.call('inviteAgain', { params: { id: staffId } });
    expect(outcomeOf(await accept(code))).toEqual(INVALID);
    await test.runJobs();
    const second = mailedCode();
    await owner.call('suspendStaff', { params: { id: staffId }, body: { reason: REASON } });
    expect(outcomeOf(await accept(second))).toEqual(INVALID);
  });

  it.each(['', 'x', 'A'.repeat(43), 'A'.repeat(10_000), '../../etc/passwd'])(
    'is not "%s"',
    async (code) => {
      expect([400, 422]).toContain((await accept(code)).status);
    },
  );
});

describe('inviting in the console', () => {
  let owner: ConsoleCaller;
  beforeEach(async () => {
    owner = await consoleAs(test, ['provider_owner']);
  });
  const invite = (by: ConsoleCaller, body: object = {}): Promise<TestAnswer> =>
    by.ask(
      { method: 'POST', path: '/admin/staff' },
      {
        body: {
          email: 'grace@athos.example',
          name: 'Grace',
          organisation: 'provider',
          role_ids: ['auditor'],
          venue_ids: [],
          reason: REASON,
          ...body,
        },
      },
    );

  it('mails a link whose code is stored nowhere and makes its holder staff', async () => {
    const answer = await invite(owner);
    expect(answer.body).toEqual({ outcome: 'done', id: expect.any(String) });
    await test.runJobs();
    expect(test.mails.map(({ to }) => to)).toEqual(['grace@athos.example']);
    const code = mailedCode();
    expect(await dumpOf(test)).not.toContain(code);
    const accepted = await accept(code);
    expect(accepted.body).toEqual({ is_enrolled: false });
    expect(accepted.headers['set-cookie']).toMatch(/^console=[\w-]{43}; /);
    expect(outcomeOf(await invite(owner))).toEqual([409, 'staff_exists']);
  });

  it('needs a proof of presence, roles that exist, and a reason', async () => {
    const email = 'linus@athos.example';
    const asks: [object, unknown[]][] = [
      [{ email, role_ids: ['no_such_role'] }, [404, 'not_found']],
      [{ email, venue_ids: [999_999] }, [404, 'not_found']],
      [{ email, role_ids: [] }, [400, 'invalid_request']],
      [{ email, reason: 'short' }, [400, 'invalid_request']],
      [{ email: 'not an address' }, [400, 'invalid_request']],
    ];
    for (const [body, expected] of asks)
      expect(outcomeOf(await invite(owner, body))).toEqual(expected);
    advance(300_000);
    expect(outcomeOf(await invite(owner, { email }))).toEqual([403, 'confirmation_required']);
  });
});

describe('npm run console:invite', () => {
  beforeEach(async () => {
    await test.deps.db.updateTable('staff').set({ state: 'left' }).execute();
  });
  const run = (...words: string[]): Promise<string> =>
    inviteOwner({ ...test.deps, origin: 'https://console.athos.example' }, words);

  it('[O-002] prints a link for a provider owner, and another one until it is accepted', async () => {
    const words = ['First@Athos.example', '--role', 'provider_owner'];
    const early = /https:\S+/.exec(await run(...words))?.[0] ?? '';
    expect(early).toMatch(/^https:\/\/console\.athos\.example\/console\/invite#[\w-]{43}$/);
    const late = /https:\S+/.exec(await run(...words))?.[0] ?? '';
    expect(outcomeOf(await accept(codeOf(early)))).toEqual(INVALID);
    expect((await accept(codeOf(late))).status).toBe(200);
    const { roles } = (
      await (await consoleAs(test, ['auditor'])).call('staffList')
    ).body.items.find(({ email }: { email: string }) => email === 'first@athos.example');
    expect(roles).toEqual([{ id: 'provider_owner', title: 'Provider owner' }]);
    await expect(run(...words)).rejects.toThrow('first@athos.example is a member of staff');
  });

  it('[O-003] refuses while two provider owners are active', async () => {
    await consoleAs(test, ['provider_owner']);
    await consoleAs(test, ['provider_owner']);
    await expect(run('late@athos.example', '--role', 'provider_owner')).rejects.toThrow(
      'Two provider owners are active',
    );
  });

  it.each([
    [[]],
    [['a@b.example']],
    [['a@b.example', '--role', 'support']],
    [['not-an-address', '--role', 'provider_owner']],
    [['a@b.example', '--role', 'provider_owner', 'more']],
  ])('refuses %j with its usage', async (words) => {
    await expect(run(...words)).rejects.toThrow('npm run console:invite -- ');
  });
});

/** The contents, as text, of every table that this capability writes. */
async function dumpOf({ deps: { db } }: TestApp): Promise<string> {
  const tables = [
    'staff',
    'staff_invites',
    'console_acts',
    'audit_entries',
    'audit_details',
  ] as const;
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
  return JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
}
