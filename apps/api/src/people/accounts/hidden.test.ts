import { type Endpoint, paging, paramsOf } from '@causeway/contract/declaration/endpoint'
import { endpoints } from '@causeway/contract/endpoints/table'
import { eventTypes } from '@causeway/contract/events'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createPlaces } from '../../testing/contract/places.js'
import { newest } from '../../testing/future-accounts.js'
import { createReceiver } from '../../testing/receiver.js'
import { type TestService, testService } from '../../testing/service.js'

/** The endpoints that read, from the contract, except those that need no key and single objects of catalogs. */
const reads: readonly Endpoint[] = endpoints.filter(
  ({ method, path, auth }) => method === 'GET' && auth !== 'none' && !/:(pdt_id|mch_id)/.test(path),
)

/** Returns the query that expands everything and includes pending accounts, wherever an endpoint allows that. */
function widest({ query = {} }: Endpoint): string {
  const fields = query['expand[]']
  const options = fields instanceof z.ZodArray ? (fields.element as z.ZodEnum).options : []
  const expand = options.map(name => ['expand[]', String(name)] as const)
  const pending = 'include_pending_consent' in query ? [['include_pending_consent', 'true'] as const] : []
  return new URLSearchParams([...expand, ...pending] as [string, string][]).toString()
}

/** A person who chose some of their accounts in a loan's element, all resources of their lender, and its webhooks. */
async function lived(sharing: 'chosen' | 'all') {
  const receiver = createReceiver()
  const service = await testService({ outbound: receiver.outbound })
  await service.call('PATCH', '/team', { account_sharing: sharing })
  for (const type of eventTypes) await service.call('POST', '/webhooks', { type, url: 'https://a.example/hook' })
  const { ids, fill } = await createPlaces(service)
  await service.settle()
  const rows = await service.store.reader
    .selectFrom('accounts')
    .select(['id', 'mask'])
    .where('holder_id', '=', ids['ent_id']!)
    .orderBy('id')
    .execute()
  const { selected } = JSON.parse(
    (
      await service.store.reader
        .selectFrom('sessions')
        .select('progress')
        .where('entity_id', '=', ids['ent_id']!)
        .executeTakeFirstOrThrow()
    ).progress,
  ) as { selected: string[] }
  const unchosen = rows.filter(({ id, mask }) => mask !== null && !selected.includes(id))
  const records = await service.store.reader
    .selectFrom('records')
    .select('id')
    .where(
      'holder_id',
      'in',
      unchosen.map(({ id }) => id),
    )
    .execute()
  const received = receiver.calls.map(({ body }) => body ?? '')
  return { service, fill, chosen: selected, unchosen, records: records.map(({ id }) => id), received }
}

/** Reads every page of every endpoint that reads, on both mounts, and returns the responses by endpoint. */
async function readAll(service: TestService, fill: (path: string, real: boolean) => string) {
  const answers = new Map<string, string>()
  const opal = await service.call('POST', '/opal/token', {
    session_id: fill('opal/sessions/:id', true).split('/').at(-1),
  })
  const { token } = opal.body['data'] as { token: string }
  for (const endpoint of reads) {
    const texts: string[] = []
    for (const mount of ['', '/enveloped']) {
      let cursor: string | null = ''
      while (cursor !== null) {
        const query = [widest(endpoint), cursor && `page_cursor=${cursor}`].filter(Boolean).join('&')
        const path = `${mount}${fill(endpoint.path, true)}${query && `?${query}`}`
        const headers = endpoint.auth === 'opal' ? { ...newest, authorization: `Bearer ${token}` } : newest
        const { status, text, headers: answered } = await service.call('GET', path, undefined, headers)
        expect([path, status < 500]).toEqual([path, true])
        texts.push(text)
        cursor = answered.get('pagination-page-cursor-next') || null
      }
    }
    answers.set(endpoint.path, texts.join('\n'))
  }
  return answers
}

describe("an account that the person didn't choose", () => {
  it('is in no response, event, report or webhook, and each endpoint treats it as unknown', async () => {
    const { service, fill, chosen, unchosen, records, received } = await lived('chosen')
    expect([chosen.length > 0, unchosen.length > 0, records.length > 0]).toEqual([true, true, true])
    const marks = [...unchosen.flatMap(({ id, mask }) => [id, `"${mask}"`]), ...records]
    const marked = (text: string) => marks.filter(mark => text.includes(mark))
    const answers = await readAll(service, fill)
    // A walk that reads nothing proves nothing.
    const isFound = (text: string) => text.includes(chosen[0]!)
    expect([isFound(answers.get('/accounts')!), isFound(answers.get('/events')!), received.some(isFound)]).toEqual([
      true,
      true,
      true,
    ])
    for (const [path, text] of answers) expect([path, marked(text)]).toEqual([path, []])
    for (const body of received) expect(marked(body)).toEqual([])

    const { id } = unchosen[0]!
    const unknown = 'acc_0000000000000'
    const withoutIds = (text: string) => text.replaceAll(id, unknown).replace(/req_\w+/g, '')
    for (const { path, auth } of reads.filter(({ path }) => path.includes(':acc_id') && paramsOf(path).length > 0)) {
      const answer = async (account: string) => {
        const reply = await service.call('GET', fill(path, true).replace(/acc_\w+/, account), undefined, newest)
        return [path, auth, reply.status, withoutIds(reply.text)]
      }
      expect(await answer(id)).toEqual(await answer(unknown))
    }
    for (const { path, query = {} } of reads) {
      // A cursor is a position, which does not depend on what exists.
      for (const name of Object.keys(query).filter(name => !(name in paging) && name !== 'expand[]')) {
        const answer = async (value: string) => {
          const asked = new URLSearchParams([[name, value]]).toString()
          const reply = await service.call('GET', `${fill(path, true)}?${asked}`, undefined, newest)
          return [path, name, reply.status, withoutIds(reply.text)]
        }
        // The team's own requests contain what it sent.
        if (!path.startsWith('/requests')) expect(await answer(id)).toEqual(await answer(unknown))
      }
    }
  }, 240_000)

  it('is shared if the team shares all accounts', async () => {
    const { service, fill, unchosen, received } = await lived('all')
    const answers = await readAll(service, fill)
    for (const { id, mask } of unchosen) {
      expect((await service.call('GET', `/accounts/${id}`)).status).toBe(200)
      const found = [answers.get('/accounts')!, answers.get('/events')!, received.join()].map(text => text.includes(id))
      expect([...found, answers.get('/accounts')!.includes(`"${mask}"`)]).toEqual([true, true, true, true])
    }
  }, 240_000)
})
