// ISO 3166-1 codes of the countries and territories offered as billing country.
const codes =
  'AD AE AF AG AI AL AM AO AR AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CD CF CG CH CI CK CL CM CN CO CR CV CW CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IQ IS IT JE JM JO JP KE KG KH KI KM KN KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MK ML MM MN MO MQ MR MS MT MU MV MW MX MY MZ NA NC NE NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PY QA RE RO RS RU RW SA SB SC SE SG SH SI SK SL SM SN SO SR ST SV SX SZ TC TD TG TH TJ TL TM TN TO TR TT TW TZ UA UG US UY UZ VA VC VE VG VN VU WF WS XK YE YT ZA ZM ZW';

/** All countries, sorted by English name. */
export function listCountries(): { code: string; name: string }[] {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  return codes
    .split(' ')
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((left, right) => left.name.localeCompare(right.name, 'en'));
}

/** How the form asks for a country's postal code; null if it does not. */
export function describePostalCode(
  country: string,
): { label: string; example: string; pattern: RegExp; isNumeric: boolean } | null {
  switch (country) {
    case 'US':
    case 'PR':
      return { label: 'ZIP code', example: '12345', pattern: /^\d{5}$/, isNumeric: true };
    case 'CA':
      return {
        label: 'Postal code',
        example: 'M5T 1T4',
        pattern: /^[a-z]\d[a-z][ -]?\d[a-z]\d$/i,
        isNumeric: false,
      };
    case 'GB':
      return {
        label: 'Postal code',
        example: 'WS11 1DB',
        pattern: /^[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}$/i,
        isNumeric: false,
      };
    default:
      return null;
  }
}
