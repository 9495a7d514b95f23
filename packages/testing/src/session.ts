/** A holder and a member of staff, and the tokens of their sessions. */
export const FAKE_UUID = '0192aaaa-0000-7000-8000-000000000001';
export const STAFF_UUID = '0192bbbb-0000-7000-8000-000000000002';

const DAY_SECONDS = 86_400;

const base64url = (claims: object): string =>
  btoa(JSON.stringify(claims)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** A token in the shape of a JWT: the browser reads its claims and never checks its signature. */
export function fakeToken(uuid = FAKE_UUID, lifeSeconds = DAY_SECONDS): string {
  const iat = Math.floor(Date.now() / 1000);
  return `e30.${base64url({ sub: uuid, iat, exp: iat + lifeSeconds })}.c2ln`;
}
