/** Spec 2: an id of an address is parsed as an integer; `undefined` where there is none in it. */
export function addressId(text: string | undefined): number | undefined {
  const id = Number.parseInt(text ?? '', 10);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
