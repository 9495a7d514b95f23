import { callTwice } from '@athos/client/outcome';
import { normalizePassword } from '@athos/domain/password';
import { m } from '@athos/messages/messages';
import { client } from './http.ts';
import { actAs } from './session.ts';

/**
 * Changes the password. `key` belongs to this pair of passwords and all retries. Resolves and reports failures as
 * `actAs`.
 */
export async function updatePassword(given: {
  oldPassword: string;
  newPassword: string;
  key: string;
}): Promise<boolean> {
  const body = {
    old_password: normalizePassword(given.oldPassword),
    password: normalizePassword(given.newPassword),
  };
  if (body.old_password === '' || body.password === '') return false;
  return actAs(
    { who: 'member', name: 'updatePassword', failureText: m.settings_password_failed() },
    () => callTwice(() => client.call('updatePassword', { body, key: given.key })),
  );
}
