/** What `pnpm admin doctor` reports about the upstream. */
import { OutsideError } from '@causeway/connector/ports/outside-error'
import { RejectedKeyError } from '@causeway/connector/provider/guarded-fetch'
import type { ProviderFinding } from '@causeway/connector/provider/provider'
import { type Caller, list, read, textOf } from './client.js'

export async function* check(context: Caller): AsyncIterable<ProviderFinding> {
  try {
    const team = await read(context, '/team')
    yield { level: 'ok', message: `The upstream accepts the key of ${textOf(team['id']) ?? 'the team'}.` }
    const urls: string[] = []
    for await (const webhook of list(context, '/webhooks'))
      if (webhook['type'] === 'payment.update' && webhook['status'] !== 'disabled') urls.push(String(webhook['url']))
    yield urls.some(url => url.endsWith('/hooks/upstream'))
      ? { level: 'ok', message: 'The upstream reports payments by a webhook.' }
      : {
          level: 'warning',
          message:
            'The upstream has no active webhook for payment.update with an address that ends in /hooks/upstream, so payments are up to 30 minutes late. Create one with UPSTREAM_WEBHOOK_SECRET as its hmac_secret.',
        }
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    yield {
      level: 'problem',
      message:
        error instanceof RejectedKeyError
          ? 'The upstream rejected UPSTREAM_API_KEY. Copy a secret key of your team there.'
          : `${error.message} Check UPSTREAM_API_URL.`,
    }
  }
}
