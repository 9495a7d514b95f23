/** Spec 2: parses an id in the URL as an integer; `undefined` if there is none. */
export function addressId(text: string | undefined): number | undefined {
  const id = Number.parseInt(text ?? '', 10);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
