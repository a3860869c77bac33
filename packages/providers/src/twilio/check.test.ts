import type { Provider, ProviderFinding } from '@causeway/connector/provider/provider'
import { readSettings } from '@causeway/connector/provider/settings'
import { describe, expect, it } from 'vitest'
import { type EmulatedTwilioOptions, emulatedEnv, setUpTwilio, twilioError } from '../testing/twilio.js'
import { twilio } from './provider.js'

async function findings(options: EmulatedTwilioOptions = {}): Promise<ProviderFinding[]> {
  const { context } = setUpTwilio(options)
  const all: ProviderFinding[] = []
  const provider: Provider = twilio
  for await (const finding of provider.check(context)) all.push(finding)
  return all
}

const isService = ({ url }: Request) => /\/Services\/\w+$/.test(url)
const serviceWith = (change: object) => ({
  override: (request: Request) =>
    isService(request)
      ? Response.json({
          account_sid: emulatedEnv.TWILIO_ACCOUNT_SID,
          code_length: 6,
          lookup_enabled: true,
          skip_sms_to_landlines: true,
          ...change,
        })
      : undefined,
})

describe('the checks of the settings', () => {
  it('finds nothing wrong, and says what was not checked', async () => {
    const all = await findings({ env: { TWILIO_REFUSE_VOIP: 'on' } })
    expect(all.map(({ level }) => level)).toEqual(['ok', 'ok'])
    expect(all[1]!.message).toContain('identity_match, line_type_intelligence was not checked')
  })

  it.each([
    ['a rejected key', { env: { TWILIO_API_SECRET: 'anotherSecret00000' } }, 'problem', 'TWILIO_API_KEY'],
    ['a service that does not exist', { service: `VA${'1'.repeat(32)}` }, 'problem', 'TWILIO_VERIFY_SERVICE'],
    ['another account', { account: `AC${'1'.repeat(32)}` }, 'problem', 'TWILIO_ACCOUNT_SID'],
    ['codes of four digits', { codeLength: 4 }, 'problem', 'codes with 4 digits'],
    ['codes to landlines', serviceWith({ skip_sms_to_landlines: false }), 'warning', 'landlines'],
    ['no lookup of landlines', serviceWith({ lookup_enabled: null }), 'warning', 'landlines'],
    ['no connection', { network: () => async () => null }, 'problem', 'no connection'],
    [
      'no Lookup',
      { override: ({ url }: Request) => (url.includes('PhoneNumbers') ? twilioError(400, 60600) : undefined) },
      'problem',
      'Lookup does not answer (error 60600)',
    ],
  ])('finds %s', async (_, options, level, message) => {
    const wrong = (await findings(options)).filter(finding => finding.level !== 'ok')
    expect(wrong).toMatchObject([{ level, message: expect.stringContaining(message) }])
  })
})

describe('the settings', () => {
  const faults = (env: Record<string, string>) =>
    readSettings(twilio.settings, { ...emulatedEnv, ...env }).faults?.map(({ message }) => message)

  it('names each required variable that is missing', () => {
    expect(readSettings(twilio.settings, {}).faults!.map(({ variable }) => variable)).toEqual(Object.keys(emulatedEnv))
  })

  it.each([
    ['TWILIO_ACCOUNT_SID', 'SK00000000000000000000000000000000', 'AC and 32 hex digits'],
    ['TWILIO_API_KEY', 'AC0', 'SK and 32 hex digits'],
    ['TWILIO_API_SECRET', 'short', '16 to 64 letters and digits'],
    ['TWILIO_VERIFY_SERVICE', 'VA', 'VA and 32 hex digits'],
    ['TWILIO_SILENT_AUTH', 'yes', 'on or off'],
    ['TWILIO_MATCH_SCORE', '0', 'a whole number from 1 to 100'],
    ['TWILIO_MATCH_DETAILS', 'dob,email', 'none, or a list of dob, address and ssn_4 with commas between them'],
    ['TWILIO_MATCH_DETAILS', 'dob,dob', 'none, or a list of dob, address and ssn_4 with commas between them'],
    ['TWILIO_REFUSE_VOIP', '1', 'on or off'],
    ['TWILIO_REFUSE_SIM_SWAP_HOURS', '721', 'a whole number from 0 to 720'],
    ['TWILIO_API_URL', 'http://twilio.example', 'a URL such as https://api.example.com (http only for this machine)'],
  ])('says what %s=%s must be', (variable, value, mustBe) => {
    expect(faults({ [variable]: value })).toEqual([`${variable} must be ${mustBe}.`])
  })

  it('reaches the two hosts of Twilio, or only an emulator, which production refuses', () => {
    const read = (env: Record<string, string>) => readSettings(twilio.settings, { ...emulatedEnv, ...env }).values!
    expect(twilio.hosts(read({}))).toEqual(['https://verify.twilio.com', 'https://lookups.twilio.com'])
    expect(twilio.environment(read({}))).toBe('any')
    const emulated = read({ TWILIO_API_URL: 'http://127.0.0.1:4700/' })
    expect(new Set(twilio.hosts(emulated))).toEqual(new Set(['http://127.0.0.1:4700']))
    expect(twilio.environment(emulated)).toBe('sandbox')
  })
})
