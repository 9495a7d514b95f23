/** The code of a pay link (decision 0067): 16 random bytes as base64url. */

const CODE = /^[A-Za-z0-9_-]{22}$/;
const LINK = /\/app\/pay\?code=([A-Za-z0-9_-]{22})$/;

/** The code in a link, or the bare code; `undefined` in any other text. */
export function payCodeOfText(text: string): string | undefined {
  const given = text.trim();
  return CODE.test(given) ? given : LINK.exec(given)?.[1];
}
