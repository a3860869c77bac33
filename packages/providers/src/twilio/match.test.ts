import { describe, expect, it } from 'vitest'
import { setUpTwilio, twilioError } from '../testing/twilio.js'

const phone = '+15125550142'
const details = {
  first_name: 'Ana',
  last_name: 'Rivera',
  phone,
  dob: '1980-02-03',
  ssn: null,
  ssn_4: '1234',
  address: { line1: '1 Main St', line2: null, city: 'Austin', state: 'TX', zip: '78701' },
}
const noAddress = { line1: null, line2: null, city: null, state: null, zip: null }
const empty = { first_name: null, last_name: null, phone: null, dob: null, ssn: null, ssn_4: null, address: noAddress }
const owner = { FirstName: 'Ana', LastName: 'Rivera', DateOfBirth: '19800203', NationalId: '123451234' }
const noMatch = { matched: false, missing: [] }

const match = ({ ask }: ReturnType<typeof setUpTwilio>, change: object = {}) =>
  ask('identity/match', 'ent_1', { details: { ...details, ...change } })

const answering = (result: object, env = {}) =>
  setUpTwilio({ env, override: () => Response.json({ valid: true, identity_match: { error_code: null, ...result } }) })

describe('matching', () => {
  it('compares every known detail, and asks no questions', async () => {
    const twilio = setUpTwilio()
    const answer = await match(twilio)
    expect(answer).toEqual({ matched: true, person: twilio.context.fingerprint(phone), questions: false })
    const [{ path, query }] = twilio.requests as [(typeof twilio.requests)[0]]
    expect(decodeURIComponent(path)).toBe(`/v2/PhoneNumbers/${phone}`)
    expect(Object.fromEntries(query)).toEqual({
      Fields: 'identity_match',
      FirstName: 'Ana',
      LastName: 'Rivera',
      DateOfBirth: '19800203',
      NationalId: '1234',
      AddressLine1: '1 Main St',
      City: 'Austin',
      State: 'TX',
      PostalCode: '78701',
      AddressCountryCode: 'US',
    })
    expect(await twilio.ask('identity/questions', 'ent_1', { person: 'p', round: 0 })).toEqual({ questions: [] })
  })

  it('sends only what is known, and the whole SSN rather than its last digits', async () => {
    const twilio = setUpTwilio()
    await match(twilio, { ...empty, last_name: 'Rivera', phone, dob: '1980-02-03', ssn: '123451234' })
    expect(Object.keys(Object.fromEntries(twilio.requests[0]!.query))).toEqual([
      'Fields',
      'LastName',
      'NationalId',
      'DateOfBirth',
    ])
    expect(twilio.requests[0]!.query.get('NationalId')).toBe('123451234')
  })

  it.each([
    ['dob', ['name', 'phone', 'dob']],
    ['none', ['name', 'phone']],
    ['dob,address,ssn_4', ['name', 'phone', 'dob', 'address', 'ssn_4']],
  ])('with the setting %s, names the missing details without asking Twilio', async (setting, missing) => {
    const twilio = setUpTwilio({ env: { TWILIO_MATCH_DETAILS: setting } })
    expect(await match(twilio, empty)).toEqual({ matched: false, missing })
    expect(twilio.requests).toEqual([])
    expect(await match(twilio)).toMatchObject({ matched: true })
    expect(await match(twilio, { ssn_4: null, ssn: '123451234' })).toMatchObject({ matched: true })
  })

  it.each([
    ['everything', {}, true],
    ['another first name', { first_name: 'Anita' }, true],
    ['another last name', { last_name: 'Other' }, false],
    ['another birth date', { dob: '1980-02-04' }, false],
    ['another SSN', { ssn_4: '9999' }, false],
  ])('compares %s with the owner’s', async (_, change, matched) => {
    const twilio = setUpTwilio({ env: { TWILIO_MATCH_SCORE: '70' } })
    twilio.emulator.setPhone(phone, { owner })
    expect(await match(twilio, change)).toMatchObject({ matched })
  })

  it.each([
    ['79', {}, false],
    ['80', {}, true],
    ['80', { TWILIO_MATCH_SCORE: '81' }, false],
    ['40', { TWILIO_MATCH_SCORE: '40' }, true],
  ])('decides a score of %s with the settings %j', async (score, env, matched) => {
    expect(await match(answering({ summary_score: Number(score) }, env))).toMatchObject({ matched })
  })

  // kills: contradiction-is-no-match
  it.each(['last_name_match', 'date_of_birth_match', 'national_id_match'])(
    'does not match a person whose %s is no_match, whatever the score',
    async member => {
      expect(await match(answering({ summary_score: 99, [member]: 'no_match' }))).toEqual(noMatch)
    },
  )

  it('matches despite another address', async () => {
    expect(await match(answering({ summary_score: 90, address_lines_match: 'no_match' }))).toMatchObject({
      matched: true,
    })
  })

  it.each([
    ['has no data', {}],
    ['has no score', { summary_score: null }],
  ])('does not match if Twilio %s', async (_, result) => {
    expect(await match(answering(result))).toEqual(noMatch)
  })

  it.each([60600, 60601, 60607, 60610, 60620])('does not match a phone with the error %i', async error_code => {
    const { log, ...twilio } = answering({ summary_score: 100, error_code })
    expect(await match({ log, ...twilio })).toEqual(noMatch)
    expect(log).toEqual([])
  })

  it.each([
    [60606, 'provider_misconfigured'],
    [60619, 'provider_misconfigured'],
    [69999, 'provider_error_unknown'],
  ])('neither matches nor rejects a person after the error %i', async (error_code, event) => {
    const twilio = answering({ summary_score: 100, error_code })
    await expect(match(twilio)).rejects.toMatchObject({ outcome: 'nothing', retryable: false })
    expect(twilio.log).toMatchObject([{ event, fields: { code: String(error_code) } }])
  })

  it.each([
    ['a number that does not exist', () => Response.json({ valid: false, validation_errors: ['TOO_SHORT'] })],
    ['a number that is not found', () => twilioError(404, 20404)],
  ])('does not match %s', async (_, override) => {
    expect(await match(setUpTwilio({ override }))).toEqual(noMatch)
  })

  // kills: refused-line-does-not-match
  it('does not match a phone that the settings refuse, and requests its data in the same lookup', async () => {
    const env = { TWILIO_REFUSE_VOIP: 'on', TWILIO_REFUSE_SIM_SWAP_HOURS: '24' }
    const twilio = setUpTwilio({ env })
    expect(await match(twilio, { phone: '+12025550192' })).toEqual(noMatch)
    expect(await match(twilio, { phone: '+12025550193' })).toEqual(noMatch)
    expect(await match(twilio)).toMatchObject({ matched: true })
    expect(twilio.requests.map(({ query }) => query.get('Fields'))).toEqual(
      Array(3).fill('identity_match,line_type_intelligence,sim_swap'),
    )
  })

  it('writes no personal data to the log or into an error', async () => {
    const twilio = answering({ error_code: 69999 })
    const error = await match(twilio).catch((fault: Error) => fault)
    for (const secret of ['Ana', 'Rivera', phone.slice(1), '1980', '1234'])
      expect(`${JSON.stringify(twilio.log)} ${error}`).not.toContain(secret)
  })
})
