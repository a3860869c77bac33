import { MINUTE_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { createPlaidWorld, person, RETURN_URL } from '../testing/plaid.js'

const HARBOR = 'ins_900001'

describe('the page at which a person links institutions', () => {
  it('is waited for, leads back, and then has its institution', async () => {
    const { openPage, ask, browse, host } = createPlaidWorld()
    const { url, link_id, expires_at } = await openPage()
    expect(expires_at).toBe(Date.parse('2026-11-29T12:30:00Z'))
    expect([...host.links.values()]).toMatchObject([{ kind: 'link', id: 'r1' }])
    expect(await ask('network/linked', { person, link_id })).toEqual({ status: 'waiting' })
    expect(await browse(url, HARBOR)).toBe(RETURN_URL)
    const linked = { status: 'linked', institutions: [{ name: 'Harbor Credit Union', status: 'ok' }] }
    expect(await ask('network/linked', { person, link_id })).toMatchObject(linked)
    expect(await ask('network/linked', { person, link_id })).toMatchObject(linked)
    expect(await ask('network/linked', { person })).toMatchObject(linked)
  })

  it('is left if the person closes it, and waits again if the person opens it again', async () => {
    const { openPage, ask, browse, emulator } = createPlaidWorld()
    const { url, link_id } = await openPage()
    expect(await browse(url, HARBOR, '', 'close')).toBe(RETURN_URL)
    expect(await ask('network/linked', { person, link_id })).toEqual({ status: 'left', reason: 'closed' })
    await emulator.answer(new Request(url))
    expect(await ask('network/linked', { person, link_id })).toEqual({ status: 'waiting' })
    await browse(url, HARBOR)
    expect(await ask('network/linked', { person, link_id })).toMatchObject({ status: 'linked' })
  })

  it('expires, and knows only its own person', async () => {
    const { openPage, ask, clock } = createPlaidWorld()
    const { link_id } = await openPage()
    expect(await ask('network/linked', { person: 'other', link_id })).toEqual({ status: 'left', reason: 'expired' })
    clock.now += 31 * MINUTE_MS
    expect(await ask('network/linked', { person, link_id })).toEqual({ status: 'left', reason: 'expired' })
  })

  it('adds institutions to the earlier ones', async () => {
    const { linkAt } = createPlaidWorld()
    await linkAt(HARBOR)
    expect(await linkAt('ins_900003')).toMatchObject({
      institutions: [{ name: 'Harbor Credit Union' }, { name: 'Lakeside Loans' }],
    })
  })
})

describe('an institution', () => {
  it('whose accounts have another name is reported, and its accounts are left out', async () => {
    const { linkAt, discover } = createPlaidWorld()
    expect(await linkAt(HARBOR, 'user_other_name')).toMatchObject({ institutions: [{ status: 'name_mismatch' }] })
    expect(await discover()).toEqual([])
  })

  it('without names keeps its accounts, whose ownership is unknown', async () => {
    const { linkAt, discover } = createPlaidWorld()
    expect(await linkAt('ins_900003', 'user_other_name')).toMatchObject({ institutions: [{ status: 'ok' }] })
    expect((await discover()).map(({ ownership }) => ownership)).toEqual(['unknown', 'unknown'])
  })

  it('that needs another sign-in is repaired, and its accounts come back', async () => {
    const { linkAt, discover, ask, openPage, emulator, log } = createPlaidWorld()
    await linkAt(HARBOR)
    const [id] = [...emulator.items.keys()]
    emulator.breakItem(id!)
    expect(await ask('network/linked', { person })).toMatchObject({ institutions: [{ id, status: 'repair' }] })
    expect(await discover()).toEqual([])
    expect(log).toMatchObject([{ event: 'item_repair', fields: { code: 'ITEM_LOGIN_REQUIRED' } }])
    const { url, link_id } = await openPage({ repair: id })
    await emulator.answer(new Request(url))
    expect(await ask('network/linked', { person, link_id })).toEqual({ status: 'waiting' })
    await emulator.answer(new Request(`${url}/finish`, { method: 'POST' }))
    expect(await ask('network/linked', { person, link_id })).toMatchObject({ institutions: [{ id, status: 'ok' }] })
    expect(await discover()).toHaveLength(2)
    expect(await ask('network/link', { person, name: null, return_url: RETURN_URL, repair: 'none' })).toEqual({
      status: 'refused',
    })
  })

  it('is disconnected at Plaid once, and only by its own person', async () => {
    const { linkAt, discover, ask, emulator, paths } = createPlaidWorld()
    await linkAt(HARBOR)
    const [institution] = [...emulator.items.keys()]
    await ask('network/unlink', { person: 'other', institution })
    expect(emulator.items.size).toBe(1)
    expect(await ask('network/unlink', { person, institution })).toEqual({ status: 'unlinked' })
    expect(emulator.items.size).toBe(0)
    expect(await ask('network/unlink', { person, institution })).toEqual({ status: 'unlinked' })
    expect(paths.filter(path => path === '/item/remove')).toHaveLength(1)
    expect(await ask('network/linked', { person })).toEqual({ status: 'linked', institutions: [] })
    expect(await discover()).toEqual([])
  })

  it('whose access the person ended at Plaid is forgotten', async () => {
    const { linkAt, ask, emulator } = createPlaidWorld()
    await linkAt(HARBOR)
    emulator.revoke([...emulator.items.keys()][0]!)
    expect(await ask('network/linked', { person })).toEqual({ status: 'linked', institutions: [] })
  })
})
