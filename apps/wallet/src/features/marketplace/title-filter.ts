/** Spec 5: a case-insensitive substring of the trimmed title. `wordsOf` gives the title as it is read. */
export function matchingTitle<T>(
  items: readonly T[],
  search: string,
  wordsOf: (item: T) => string,
): readonly T[] {
  const sought = search.trim().toLowerCase();
  if (sought === '') return items;
  return items.filter((item) => wordsOf(item).trim().toLowerCase().includes(sought));
}
