/** The customers of the demo's past. */
import { brand } from '@athos/brand/brand';
import { Random } from './random.ts';

export interface Person {
  readonly index: number;
  readonly name: string;
  readonly email: string;
  /** How active the person is: a weight relative to others. */
  readonly zeal: number;
  /** The venue where most of the person's items are redeemed: an index in `demoVenues`. */
  readonly homeVenue: number;
}

const FIRST_NAMES =
  'Alba Amos Anouk Bao Bela Carla Cem Chidi Clara Dario Dina Edda Emil Enzo Esra Fadi Finn Flora Goran Greta Hana Hugo Ida Ilse Ivo Jana Jonas Juno Kaia Karim Lars Leila Lina Luca Malik Mara Mila Nael Nina Noor Olive Omar Otis Paul Petra Quinn Rami Rosa Sami Sven Tara Timo Uma Vera Wanda Yara Yusuf Zora'.split(
    ' ',
  );
const LAST_NAMES =
  'Abara Ahlberg Amadi Baptiste Bergmann Bianchi Castro Cohen Dahl Demir Dubois Eriksen Faria Ferrari Gallo Grau Haddad Holm Ibarra Jansen Kato Keller Kowalski Laurent Lindqvist Marin Meyer Moreau Nakamura Novak Okafor Olsen Pereira Petrov Quist Rahimi Romano Sato Schulz Silva Sommer Tanaka Toth Ueda Vance Vidal Weber Winter Yilmaz Zeller'.split(
    ' ',
  );

/** The brand's own domain, so that no mail reaches a stranger. */
const domain = brand.supportAddress.split('@').at(-1) ?? 'localhost';

/** Creates `count` people, each with a unique name, in the order in which they sign up. */
export function createCrowd(words: string, count: number): readonly Person[] {
  const random = new Random(`${words} crowd`);
  const names = FIRST_NAMES.flatMap((first) => LAST_NAMES.map((last) => `${first} ${last}`));
  return random
    .shuffled(names)
    .slice(0, count)
    .map((name, index) => ({
      index,
      name,
      email: `${name.toLowerCase().replace(' ', '.')}@${domain}`,
      // A few people do much and many do little.
      zeal: 0.25 + random.next() ** 3 * 3,
      homeVenue: random.chance(0.6) ? 0 : 1,
    }));
}
