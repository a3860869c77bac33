/**
 * US states, districts, territories and military mail, and the ZIP codes of each. Used by the frame and the service, so
 * it has no dependencies.
 */

/** Names by postal abbreviation. They are the same in every language that the flow supports. */
export const states = {
  AL: 'Alabama',
  AK: 'Alaska',
  AS: 'American Samoa',
  AZ: 'Arizona',
  AR: 'Arkansas',
  AA: 'Armed Forces Americas',
  AE: 'Armed Forces Europe',
  AP: 'Armed Forces Pacific',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia',
  FL: 'Florida',
  GA: 'Georgia',
  GU: 'Guam',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  MP: 'Northern Mariana Islands',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  PR: 'Puerto Rico',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VI: 'Virgin Islands',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
} as const

export type State = keyof typeof states

/** Returns true for the abbreviation of a state, in capital or small letters. */
export const isState = (text: string): boolean => text.length === 2 && Object.hasOwn(states, text.toUpperCase())

/**
 * The ranges of ZIP code prefixes that the US Postal Service assigns to each state. A few ZIP codes near a border belong
 * to a neighboring state. A longer prefix takes precedence: the Pacific territories share prefixes.
 */
const ranges: Record<State, string> = {
  AA: '340',
  AE: '090-098',
  AK: '995-999',
  AL: '350-369',
  AP: '962-966',
  AR: '716-729',
  AS: '96799',
  AZ: '850-865',
  CA: '900-961',
  CO: '800-816',
  CT: '060-069',
  DC: '200,202-205,569',
  DE: '197-199',
  FL: '320-339,341-349',
  GA: '300-319,398-399',
  GU: '969',
  HI: '967-968',
  IA: '500-528',
  ID: '832-838',
  IL: '600-629',
  IN: '460-479',
  KS: '660-679',
  KY: '400-427',
  LA: '700-714',
  MA: '010-027,055',
  MD: '206-219',
  ME: '039-049',
  MI: '480-499',
  MN: '550-567',
  MO: '630-658',
  MP: '96950-96952',
  MS: '386-397',
  MT: '590-599',
  NC: '270-289',
  ND: '580-588',
  NE: '680-693',
  NH: '030-038',
  NJ: '070-089',
  NM: '870-884',
  NV: '889-898',
  NY: '005,100-149',
  OH: '430-459',
  OK: '730-732,734-749',
  OR: '970-979',
  PA: '150-196',
  PR: '006-007,009',
  RI: '028-029',
  SC: '290-299',
  SD: '570-577',
  TN: '370-385',
  TX: '733,750-799,885',
  UT: '840-847',
  VA: '201,220-246',
  VI: '008',
  VT: '050-054,056-059',
  WA: '980-994',
  WI: '530-549',
  WV: '247-268',
  WY: '820-831',
}

/** The states by prefix. */
const statesByPrefix = new Map<string, State>()
for (const [state, list] of Object.entries(ranges))
  for (const range of list.split(',')) {
    const [from = '', to = from] = range.split('-')
    for (let prefix = Number(from); prefix <= Number(to); prefix += 1)
      statesByPrefix.set(String(prefix).padStart(from.length, '0'), state as State)
  }

/** A ZIP code of five or nine digits. */
const ZIP = /^\d{5}(?:-?\d{4})?$/

/** Returns the state of a ZIP code; null if the ZIP code is incomplete or belongs to no state. */
export function stateOfZip(zip: string): State | null {
  if (!ZIP.test(zip)) return null
  return statesByPrefix.get(zip.slice(0, 5)) ?? statesByPrefix.get(zip.slice(0, 3)) ?? null
}
