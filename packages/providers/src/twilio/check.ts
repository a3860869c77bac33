import { OutsideError } from '@causeway/connector/ports/outside-error'
import { RejectedKeyError } from '@causeway/connector/provider/guarded-fetch'
import type { ProviderFinding } from '@causeway/connector/provider/provider'
import { callTwilio, servicePath, type TwilioContext } from './client.js'
import { screeningPackages } from './lookup.js'

/** The length of the codes that the screens accept. */
const CODE_LENGTH = 6

/** A number that is reserved for fiction. A lookup without packages is free. */
const FICTIONAL_PHONE = '+12025550123'

/** Checks the settings against Twilio, at no cost. */
export async function* checkSettings(
  context: Pick<TwilioContext, 'settings' | 'fetch'>,
): AsyncIterable<ProviderFinding> {
  try {
    yield* checkService(context)
    yield* checkLookup(context)
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    const isKey = error instanceof RejectedKeyError
    yield {
      level: 'problem',
      message: isKey
        ? 'Twilio rejected TWILIO_API_KEY and TWILIO_API_SECRET. Create an API key in Twilio’s console under Account, API keys, in the region US1.'
        : `${error.message} Check TWILIO_API_URL, and that this server can reach verify.twilio.com and lookups.twilio.com.`,
    }
  }
}

async function* checkService(context: Pick<TwilioContext, 'settings' | 'fetch'>): AsyncIterable<ProviderFinding> {
  const { settings } = context
  const reply = await callTwilio(context, { api: 'verify', path: servicePath(settings) })
  if (!reply.ok) {
    yield {
      level: 'problem',
      message: `The account has no Verify service with the id in TWILIO_VERIFY_SERVICE (error ${reply.code}). Copy the id from Twilio’s console under Verify, Services.`,
    }
    return
  }
  const { account_sid, code_length, lookup_enabled, skip_sms_to_landlines } = reply.body
  yield { level: 'ok', message: 'Twilio accepts the API key, and the Verify service exists.' }
  if (account_sid !== settings.TWILIO_ACCOUNT_SID)
    yield {
      level: 'problem',
      message: 'The Verify service belongs to another account than TWILIO_ACCOUNT_SID. Set the id of its account.',
    }
  if (code_length !== CODE_LENGTH)
    yield {
      level: 'problem',
      message: `The Verify service sends codes with ${Number(code_length)} digits, but the screens accept ${CODE_LENGTH}. Set its code length to ${CODE_LENGTH} in Twilio’s console.`,
    }
  if (lookup_enabled !== true || skip_sms_to_landlines !== true)
    yield {
      level: 'warning',
      message:
        'The Verify service sends codes to landlines, where they are lost. Turn on its lookup, and its option to skip landlines, in Twilio’s console.',
    }
}

async function* checkLookup(context: Pick<TwilioContext, 'settings' | 'fetch'>): AsyncIterable<ProviderFinding> {
  const path = `/v2/PhoneNumbers/${encodeURIComponent(FICTIONAL_PHONE)}`
  const reply = await callTwilio(context, { api: 'lookups', path })
  const packages = ['identity_match', ...screeningPackages(context.settings)]
  yield reply.ok
    ? {
        level: 'ok',
        message: `Lookup answers. Whether it may use ${packages.join(', ')} was not checked, because Twilio charges for that. If it may not, the log shows provider_misconfigured with the code 60606.`,
      }
    : { level: 'problem', message: `Lookup does not answer (error ${reply.code}). Ask Twilio to enable it.` }
}
