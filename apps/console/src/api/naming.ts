/**
 * Converts between the wire's snake_case and the app's camelCase, for types and values. The console has too many calls to convert
 * each by hand, so all names change here and no screen reads a wire name.
 */

/** A key with a dot is a permission or an action, which is data and not a name. */
type CamelName<Name extends string> = Name extends `${string}.${string}`
  ? Name
  : Name extends `${infer Head}_${infer Tail}`
    ? `${Head}${Capitalize<CamelName<Tail>>}`
    : Name;

/** A value of the wire in the app's names. */
export type Camel<Wire> = unknown extends Wire
  ? unknown
  : Wire extends readonly (infer Item)[]
    ? readonly Camel<Item>[]
    : Wire extends object
      ? {
          readonly [Key in keyof Wire as Key extends string ? CamelName<Key> : Key]: Camel<
            Wire[Key]
          >;
        }
      : Wire;

/** Members whose keys are data, or defined by WebAuthn. They are not converted. */
const OPAQUE = new Set(['before', 'after', 'balances', 'passkey', 'value', 'by_default']);

/** Converts a wire name, or a JSON pointer of wire names, to the app's names. */
export const camelName = (name: string): string =>
  name.includes('.')
    ? name
    : name.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
const snakeName = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function renamed(value: unknown, nameOf: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, nameOf));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      nameOf(name),
      OPAQUE.has(name) ? member : renamed(member, nameOf),
    ]),
  );
}

export const fromWire = <Wire>(value: Wire): Camel<Wire> =>
  renamed(value, camelName) as Camel<Wire>;
export const toWire = (value: unknown): unknown => renamed(value, snakeName);
