/** The built service, imported after the globals and SQLite have been replaced. */
import { register } from 'node:module'

const dist = path => import(new URL(`../../apps/api/dist/${path}.js`, import.meta.url).href)

export async function loadProduct() {
  register(new URL('sqlite-hook.mjs', import.meta.url))
  const modules = await Promise.all(
    [
      'flow/frame/assets',
      'main/app',
      'main/boot',
      'main/config',
      'main/operator/operator',
      'money/ledger/periodic-check',
      'money/reconciliation/schedule',
      'network/providers/connections',
      'network/providers/open',
      'network/providers/usage',
      'platform/crypto/vault',
      'platform/db/store',
      'platform/jobs/sweep',
      'platform/log',
      'platform/metrics',
      'platform/outbound/outbound',
      'sandbox/sandbox',
      'sandbox/tables/inputs',
      'sandbox/tables/people',
      'testing/leaks/canary',
    ].map(dist),
  )
  const [serve, signature, twilio, increase] = await Promise.all(
    [
      'connector/dist/http/serve',
      'connector/dist/http/signature',
      'providers/dist/twilio/emulator/emulator',
      'providers/dist/increase/emulator/emulator',
    ].map(path => import(new URL(`../../packages/${path}.js`, import.meta.url).href)),
  )
  const { createTwilioEmulator, emulatorIds: twilioIds } = twilio
  return Object.assign({ twilioIds, createTwilioEmulator }, serve, signature, increase, ...modules)
}
