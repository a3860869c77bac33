/** The live run of Twilio. Twilio has one system, so that the run texts a real phone. */
import { text } from '@causeway/connector/provider/settings'
import { expectEqual, type LiveRun, type LiveStep, type LiveTools } from '../testing/live-run.js'
import { checkDoctor } from '../testing/live-steps.js'
import { twilio } from './provider.js'

/** Twilio's documents leave out errors, and that members can be null. */
export const documents: LiveRun['documents'] = {
  names: ['twilio-verify', 'twilio-lookups'],
  options: {
    hasNulls: true,
    error: {
      type: 'object',
      required: ['code', 'message', 'more_info', 'status'],
      properties: {
        code: { type: 'integer' },
        message: { type: 'string' },
        more_info: { type: 'string' },
        status: { type: 'integer' },
      },
    },
  },
}

const phoneOf = ({ options }: LiveTools) => String(options['--phone'])
/** The resource of the code that the run sends. */
const codeOf = ({ id }: LiveTools) => id('code')

/** A person who does not exist. The phone's owner has another name. */
const unknownPerson = {
  first_name: 'Nobody',
  last_name: 'Causewaytest',
  dob: '1901-01-01',
  ssn: null,
  ssn_4: '0000',
  address: { line1: '1 Main St', line2: null, city: 'Austin', state: 'TX', zip: '78701' },
}

const steps: LiveStep[] = [
  checkDoctor(twilio),
  {
    name: 'a code is sent',
    async run(tools) {
      const phone = phoneOf(tools)
      expectEqual('the answer', (await tools.call('identity/send_code', { phone }, codeOf(tools))).status, 'sent')
    },
  },
  {
    name: 'the list of attempts has the message, so that it is not sent again',
    async run(tools) {
      const find = () => tools.findOutcome('identity/send_code', { phone: phoneOf(tools) }, codeOf(tools))
      expectEqual('the outcome', (await tools.eventually(find, ({ known }) => known)).known, true)
    },
  },
  {
    name: 'a wrong code is incorrect',
    async run(tools) {
      const phone = phoneOf(tools)
      const { status } = await tools.call('identity/check_code', { phone, code: '000000' }, codeOf(tools))
      expectEqual('the answer', status, 'incorrect')
    },
  },
  {
    name: 'the right code is correct',
    async run(tools) {
      const phone = phoneOf(tools)
      const code = (await tools.prompt('Enter the code that arrived on the phone: '))?.trim()
      if (!code) return { skipped: 'no code was entered' }
      const { status } = await tools.call('identity/check_code', { phone, code }, codeOf(tools))
      expectEqual('the answer', status, 'correct')
      return undefined
    },
  },
  {
    name: 'an unknown message is unknown',
    async run(tools) {
      const outcome = await tools.findOutcome('identity/send_code', { phone: phoneOf(tools) }, tools.id('none'))
      expectEqual('the outcome', outcome.known, false)
    },
  },
  {
    name: 'a lookup compares the details of a person with those of the phone’s owner',
    async run(tools) {
      const phone = phoneOf(tools)
      const details = { ...unknownPerson, phone }
      const { matched, ...rest } = await tools.call('identity/match', { details }, tools.id('match'))
      expectEqual('whether a person who does not exist matches', matched, false)
      expectEqual('the rest of the answer', rest, { missing: [] })
    },
  },
]

export const twilioLive: LiveRun = {
  provider: twilio,
  documents,
  reads: new Set([
    ...['sid', 'status', 'channel', 'sna', 'sna_attempts_error_codes', 'account_sid', 'code', 'code_length'],
    ...['attempts', 'conversion_status', 'verification_sid', 'valid', 'identity_match', 'summary_score', 'error_code'],
    ...['last_name_match', 'date_of_birth_match', 'national_id_match', 'line_type_intelligence', 'type', 'sim_swap'],
    ...['last_sim_swap', 'last_sim_swap_date', 'swapped_in_period', 'lookup_enabled', 'skip_sms_to_landlines'],
  ]),
  options: {
    '--phone': text({
      what: 'a phone of yours, which gets one text message',
      pattern: /^\+[1-9]\d{9,14}$/,
      mustBe: 'a number in E.164 format: +1 and ten digits',
    }),
  },
  notice:
    'This run sends one text message to the phone. Twilio charges for it, for its verification and for one lookup.',
  steps,
}
