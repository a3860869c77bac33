// kills: prepared-session-starts-once

import { MINUTE_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { frameCall, LOAN, Person, redeemToken, someone, transferToken } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const service = await testService()

const authorized = (bearer: string) => ({ authorization: `Bearer ${bearer}` })
const prepare = async (text: string) => {
  const { status, body } = await redeemToken(service, text, { prepared: true })
  expect(status).toBe(200)
  return { bearer: body.bearer!, view: body.view }
}
const open = (bearer: string) => frameCall(service, 'POST', '/s/open', undefined, authorized(bearer))
const newToken = async () => (await transferToken(service, await someone(service, '+15125550101'), LOAN)).element_token
const events = () => service.store.reader.selectFrom('session_events').select('type').orderBy('id').execute()
const types = (body: { events?: { type: string }[] }) => body.events!.map(({ type }) => type)
const begun = ['opal.session.started', 'identity_verification.flow.started', 'identity_verification.step.started']

describe('a prepared session', () => {
  it("has its first screen but no events until it is opened, and then has a normal session's events", async () => {
    const before = (await events()).length
    const { bearer, view } = await prepare(await newToken())
    expect([view!.step, view!.events]).toEqual(['consent', []])
    expect(await events()).toHaveLength(before)
    const opened = await open(bearer)
    expect([opened.body.step, opened.body.revision]).toEqual(['consent', view!.revision])
    expect(types(opened.body)).toEqual(begun)
  })

  it('starts once, and repeats its events to a frame that lost the response', async () => {
    const before = (await events()).length
    const { bearer } = await prepare(await newToken())
    const all = await Promise.all([open(bearer), open(bearer), open(bearer)])
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await events()).toHaveLength(before + begun.length)
    expect(types((await open(bearer)).body)).toEqual(begun)
  })

  it('spends its token', async () => {
    const text = await newToken()
    await prepare(text)
    expect((await redeemToken(service, text)).body.error?.sub_type).toBe('EXPIRED_TOKEN')
  })

  it('expires after 10 minutes if unopened, and after 15 minutes of inactivity once opened', async () => {
    const [early, late] = [await prepare(await newToken()), await prepare(await newToken())]
    service.advance(10 * MINUTE_MS - 1)
    expect((await open(early.bearer)).status).toBe(200)
    service.advance(1)
    expect((await open(late.bearer)).body.error?.sub_type).toBe('SESSION_EXPIRED')
    service.advance(14 * MINUTE_MS)
    const look = (bearer: string) => frameCall(service, 'GET', '/s', undefined, authorized(bearer))
    expect((await look(early.bearer)).status).toBe(200)
  })

  it('whose next step requires a service action delays that action until it is opened', async () => {
    const person = await Person.arrive(service, await newToken())
    await person.arriveAtAccounts()
    const { session_id } = person.view
    await service.store.write(db =>
      db
        .updateTable('sessions')
        .set({ connect_id: null })
        .where('team_id', '=', service.team)
        .where('id', '=', session_id)
        .execute(),
    )
    const { body } = await service.call('POST', '/elements/token', { type: 'balance_transfer', session_id })
    const { bearer, view } = await prepare(body['element_token'] as string)
    expect(view).toBeUndefined()
    expect((await open(bearer)).body.step).toBe('selection')
  })
})
