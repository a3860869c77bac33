import { readSettings } from '@causeway/connector/provider/settings'
import { upstream } from '@causeway/providers/upstream/provider'
import { expect, it } from 'vitest'
import { discoveryOf } from '../../network/providers/open.js'
import { testService } from '../../testing/service.js'
import { currentRecipients } from './recipients.js'

const env = {
  UPSTREAM_API_URL: 'https://api.example.com',
  UPSTREAM_API_KEY: 'sk_12345678',
  UPSTREAM_WEBHOOK_SECRET: 'the secret of the webhooks there',
}

/** Returns the recipients of a service whose upstream has these settings. */
async function recipientsWith(more: Record<string, string>) {
  const { deps } = await testService()
  const { values, faults } = readSettings(upstream.settings, { ...env, ...more })
  if (faults) throw new Error(JSON.stringify(faults))
  const routes = new Map([['network/discover', 'upstream']])
  const discovery = discoveryOf({ routes, providers: [{ provider: upstream, settings: values }] })
  return currentRecipients({ ...deps, capabilities: { ...deps.capabilities, discovery: () => discovery } })
}

// kills: network-is-named
it('the documents name the company that runs the upstream or, without a name, another company', async () => {
  expect(await recipientsWith({ UPSTREAM_NAME: 'Müller & Söhne' })).toMatchObject({ network: 'Müller & Söhne' })
  expect(await recipientsWith({})).toMatchObject({ network: null })
  expect(currentRecipients((await testService()).deps)).not.toHaveProperty('network')
})

it.each(['', ' Late', 'a\nb', 'x'.repeat(61)])('the name %j is refused', name => {
  expect(readSettings(upstream.settings, { ...env, UPSTREAM_NAME: name }).faults ?? []).toEqual(
    name === '' ? [] : [expect.objectContaining({ variable: 'UPSTREAM_NAME' })],
  )
})
