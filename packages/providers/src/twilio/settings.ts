import {
  address,
  choice,
  type Setting,
  type SettingValues,
  secret,
  text,
  wholeNumber,
} from '@causeway/connector/provider/settings'

const details = ['dob', 'address', 'ssn_4'] as const
type MatchDetail = (typeof details)[number]

/** The details that matching requires besides name and phone: words from a list, or `none`. */
const matchDetails: Setting<readonly MatchDetail[]> = {
  what: 'the details that a person must enter besides name and phone before Twilio compares them',
  mustBe: 'none, or a list of dob, address and ssn_4 with commas between them',
  isSecret: false,
  fallback: 'dob',
  read(given) {
    if (given === 'none') return []
    const words = given.split(',')
    const chosen = details.filter(detail => words.includes(detail))
    return chosen.length === words.length ? chosen : undefined
  },
}

/** Twilio's own base address. Each of its APIs is on a host below it. */
export const TWILIO_ORIGIN = 'https://twilio.com'

export const settings = {
  TWILIO_ACCOUNT_SID: text({
    what: 'the id of your Twilio account',
    pattern: /^AC[0-9a-fA-F]{32}$/,
    mustBe: 'AC and 32 hex digits',
  }),
  TWILIO_API_KEY: text({
    what: 'the id of an API key of the account, or the account’s id if the secret is its auth token',
    pattern: /^(?:SK|AC)[0-9a-fA-F]{32}$/,
    mustBe: 'SK and 32 hex digits',
  }),
  TWILIO_API_SECRET: secret({
    what: 'the secret of the API key',
    pattern: /^[0-9A-Za-z]{16,64}$/,
    mustBe: '16 to 64 letters and digits',
  }),
  TWILIO_VERIFY_SERVICE: text({
    what: 'the id of the Verify service that sends codes',
    pattern: /^VA[0-9a-fA-F]{32}$/,
    mustBe: 'VA and 32 hex digits',
  }),
  TWILIO_SILENT_AUTH: choice('whether a phone can be verified by its carrier without a code', ['on', 'off'], 'off'),
  TWILIO_MATCH_SCORE: wholeNumber('the lowest summary score of a person who matches', 1, 100, 80),
  TWILIO_MATCH_DETAILS: matchDetails,
  TWILIO_REFUSE_VOIP: choice('whether to refuse phone numbers of internet phones', ['on', 'off'], 'off'),
  TWILIO_REFUSE_SIM_SWAP_HOURS: wholeNumber(
    'for how many hours after its SIM changed a phone is refused; 0 accepts it at once',
    0,
    720,
    0,
  ),
  TWILIO_API_URL: address('the base address of Twilio, or of its emulator', TWILIO_ORIGIN),
}

export type TwilioSettings = SettingValues<typeof settings>
