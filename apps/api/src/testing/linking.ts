/** Test helper that runs a service whose people link institutions at Plaid, against its emulator. */
import { readSettings } from '@causeway/connector/provider/settings'
import { createPlaidEmulator } from '@causeway/providers/plaid/emulator/emulator'
import { plaid } from '@causeway/providers/plaid/provider'
import { browseLink, emulatedEnv, ORIGIN } from '@causeway/providers/testing/plaid'
import { hookPath } from '../network/providers/hooks.js'
import { Person, someone, verify } from './frame.js'
import { testService } from './service.js'

export const HARBOR = 'ins_900001'
export const LAKESIDE = 'ins_900003'

/** Starts a service with Plaid's emulator. Codes, identity and payments come from the sandbox. */
export async function linkService(options: Pick<NonNullable<Parameters<typeof testService>[0]>, 'store'> = {}) {
  const { values, faults } = readSettings(plaid.settings, emulatedEnv)
  if (faults) throw new Error(JSON.stringify(faults))
  let now = () => 0
  const emulator = createPlaidEmulator({ origin: ORIGIN, now: () => now() })
  /** The paths that the service has requested. */
  const paths: string[] = []
  const state = { isDown: false }
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    if (state.isDown) throw new TypeError('fetch failed')
    paths.push(new URL(request.url).pathname)
    return emulator.answer(request)
  }
  const service = await testService({
    ...options,
    providers: { list: [{ provider: plaid, settings: values }], fetch: send },
  })
  now = service.deps.clock

  /** Creates a session of a person. `mode` is the mode's name in the token. */
  async function openSession(entity: string, mode = 'connect', options: object = {}): Promise<Person> {
    const body = { mode, entity_id: entity, [mode]: options }
    const { data } = (await service.call('POST', '/opal/token', body)).body as { data: { token: string } }
    return Person.arrive(service, data.token)
  }

  return {
    ...{ service, emulator, paths, state, openSession },
    /** Does what a person does on Plaid's page. @returns the address at which the browser ends */
    browse: (url: string, institution = HARBOR, user = 'user_good', end: 'finish' | 'close' = 'finish') =>
      browseLink(emulator.answer, url, institution, user, end),
    /** Delivers Plaid's webhooks. @returns the status of each answer */
    async deliver(): Promise<number[]> {
      const statuses: number[] = []
      for (const { headers, body } of await emulator.takeWebhooks()) {
        const request = new Request(`http://127.0.0.1:4000${hookPath('plaid')}`, { method: 'POST', headers, body })
        statuses.push((await service.app.api.fetch(request)).status)
      }
      return statuses
    },
    /** Opens a session of a new person, up to the step in which they link institutions. */
    async atLink(phone = '+15125550101', mode = 'connect', options: object = {}) {
      const entity = await someone(service, phone)
      const person = await verify(service, await openSession(entity, mode, options))
      return { person, entity }
    },
    /** Opens another session of a person, past the phone and the identity. */
    again: async (entity: string, mode?: string, options?: object) =>
      verify(service, await openSession(entity, mode, options)),
  }
}
