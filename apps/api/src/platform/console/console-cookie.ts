/** The session cookie of the console. Calls of the wallet never read it. */

interface CookieSettings {
  /** The console's own origin. */
  readonly origin: string;
}

/** `__Host-` binds the cookie to this host over https. The demo runs on plain http, where browsers would drop that name. */
const isSecure = ({ origin }: CookieSettings): boolean => origin.startsWith('https:');
const cookieName = (settings: CookieSettings): string =>
  isSecure(settings) ? '__Host-console' : 'console';

const attributes = (settings: CookieSettings): string =>
  `Path=/; HttpOnly; SameSite=Strict${isSecure(settings) ? '; Secure' : ''}`;

/** The Set-Cookie header that begins a session. It ends with the browser at the latest; the server ends it sooner. */
export const sessionCookie = (settings: CookieSettings, token: string): string =>
  `${cookieName(settings)}=${token}; ${attributes(settings)}`;

/** The Set-Cookie header that removes the session cookie. */
export const endedCookie = (settings: CookieSettings): string =>
  `${cookieName(settings)}=; ${attributes(settings)}; Max-Age=0`;

/** The token in the Cookie header. `undefined` if there are two session cookies, since either could be planted. */
export function readSessionCookie(
  settings: CookieSettings,
  header: string | undefined,
): string | undefined {
  const start = `${cookieName(settings)}=`;
  const values = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start))
    .map((part) => part.slice(start.length));
  return values.length === 1 && values[0] !== '' ? values[0] : undefined;
}
