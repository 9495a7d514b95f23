/**
 * The reason why a job failed, for people who may not see its subject: the first line of the error, without addresses, tokens and keys.
 * Errors of libraries and servers can quote anything.
 */

const LENGTH_MAX = 300;

const REMOVED: readonly (readonly [RegExp, string])[] = [
  // Removes credentials and the query of a URL, which may carry a code.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, '$1'],
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s?#]*)[?#][^\s]*/gi, '$1'],
  [/<?[^\s<>"'(),;:]+@[^\s<>"'(),;:]+>?/g, '[address]'],
  // UUIDs and row numbers stay, because people search for them.
  [/\b(?:sk|pk|rk|whsec|seti|pi)_[\w]{8,}/g, '[secret]'],
  [
    /\b(?![0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)[\w+/=.-]{32,}/gi,
    '[secret]',
  ],
];

export function failureWords(error: string): string {
  const [line = ''] = error.trim().split('\n');
  const words = REMOVED.reduce((text, [found, instead]) => text.replaceAll(found, instead), line);
  return words.length > LENGTH_MAX ? `${words.slice(0, LENGTH_MAX - 1)}…` : words;
}
