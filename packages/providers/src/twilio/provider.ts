import { provider } from '@causeway/connector/provider/provider'
import { checkSettings } from './check.js'
import { apiAddress } from './client.js'
import { checkCode, findCode, sendCode } from './codes.js'
import { matchPerson } from './match.js'
import { settings, TWILIO_ORIGIN } from './settings.js'
import { beginSilentAuth, checkSilentAuth } from './silent.js'

/**
 * Codes and silent verification with Twilio Verify, and matching with Twilio Lookup. There are no webhooks: nothing waits
 * for the delivery of a text message, and Verify's own webhooks are only about push notifications.
 */
export const twilio = provider({
  name: 'twilio',
  title: 'Twilio',
  settings,
  hosts: values => [apiAddress(values, 'verify'), apiAddress(values, 'lookups')],
  // Twilio has no test system for Verify. Another address is an emulator.
  environment: ({ TWILIO_API_URL }) => (TWILIO_API_URL === TWILIO_ORIGIN ? 'any' : 'sandbox'),
  provides: {
    'identity/send_code': sendCode,
    'identity/check_code': checkCode,
    'identity/begin_sna': beginSilentAuth,
    'identity/check_sna': checkSilentAuth,
    'identity/match': matchPerson,
    // There are no questions, so there is nothing to answer.
    'identity/questions': async () => ({ questions: [] }),
  },
  outcomes: {
    'identity/send_code': { find: findCode, duplicates: 'harmless' },
    // Only the answer to the request has the URL, and starting again has no effect on the phone.
    'identity/begin_sna': { find: async () => ({ known: false }), duplicates: 'harmless' },
  },
  capabilities: ({ TWILIO_SILENT_AUTH }) => ({
    persons: 'any',
    without: TWILIO_SILENT_AUTH === 'on' ? [] : ['identity/begin_sna', 'identity/check_sna'],
  }),
  check: checkSettings,
  proven: { level: 'emulator', on: '2026-11-29' },
})
