import { describe, expect, it } from 'vitest'
import { desk, form, page, useSite } from './testing/site.js'

const { site, visit, submit, reachTransfer } = useSite()

describe('the operations page', () => {
  it('cannot release before the borrower confirms, and says why', async () => {
    await reachTransfer()
    const answer = await submit(`${desk}/release`)
    expect(answer.status).toBe(409)
    const text = await answer.text()
    expect(text).toContain('BT_NO_ALLOCATIONS')
    expect(text).toMatch(/<button[^>]*disabled>Release the loan/)
  })

  it('releases from the funding account and shows how each payment moves with the clock', async () => {
    const { session, debts } = await reachTransfer()
    site.service.confirm(session, { [debts[0]]: 521_240, [debts[1]]: 350_000 })
    expect((await submit(`${desk}/release`)).status).toBe(303)
    const [release] = site.service.calls(`POST /opal/sessions/${session}`)
    expect(release?.body).toEqual({
      action: 'release_payments',
      data: { source: site.service.payments[0]?.['source'] },
    })
    expect((await (await visit(desk)).text()).match(/badge calm">pending/g)).toHaveLength(2)

    expect((await submit(`${desk}/clock`, { advance: 'P1D' })).status).toBe(303)
    expect(site.service.calls('POST /simulate/clock')[0]?.body).toEqual({ advance: 'P1D' })
    expect((await (await visit(desk)).text()).match(/badge busy">processing/g)).toHaveLength(2)
  })

  it('accepts only the durations of its buttons', async () => {
    await submit('/applications', form)
    await submit(`${desk}/clock`, { advance: 'P1000Y' })
    expect(site.service.calls('POST /simulate/clock')[0]?.body).toEqual({ advance: 'P1D' })
  })

  describe('an amount that a release did not pay', () => {
    const attemptOn = async () => /name="attempt" value="(\d+)"/.exec(await (await visit(desk)).text())?.[1] ?? ''
    async function releasePart() {
      const { session, debts } = await reachTransfer()
      site.service.confirm(session, { [debts[0]]: 455_000, [debts[1]]: 245_000 })
      site.service.refusing.add(debts[1])
      await submit(`${desk}/release`)
      return { session, debts }
    }

    it('is the whole loan if every payment is refused, which is not called partly paid', async () => {
      const { session, debts } = await reachTransfer()
      site.service.confirm(session, { [debts[0]]: 455_000, [debts[1]]: 245_000 })
      for (const debt of debts) site.service.refusing.add(debt)
      await submit(`${desk}/release`)
      const text = await (await visit(desk)).text()
      expect(text).toContain('$7,000.00 was not paid.')
      expect(text).toContain('<span class="badge bad">Failed</span>')
      expect(text).not.toContain('Partly paid')
    })

    it('is shown to the staff and the borrower, but not as a success', async () => {
      await releasePart()
      const text = await (await visit(desk)).text()
      expect(text).toContain('PAYMENT_REFUSED_BY_RAIL')
      expect(text).toContain('$2,450.00 was not paid.')
      expect(text).toContain('Partly paid')
      expect(await (await visit('/operations')).text()).toContain('Partly paid')
      const own = await (await visit(page)).text()
      expect(own).toContain('there is news about your loan')
      expect(own).toContain('not every payment went through')
      expect(own).toContain('Not made')
      expect(own).not.toContain('PAYMENT_REFUSED_BY_RAIL')
      // Only the completed payment saves interest: it replaces $4,550 at 27.49% with debt at 11.99%.
      expect(own).toContain('about $705 in the first year')
    })

    it.each([
      ['reversal_required', 'Sent back'],
      ['partially_reversed', 'Sent back'],
      ['failed', 'Not made'],
    ])('includes a payment that is %s later', async (status, standing) => {
      const { session, debts } = await reachTransfer()
      site.service.confirm(session, { [debts[0]]: 455_000, [debts[1]]: 245_000 })
      await submit(`${desk}/release`)
      expect(await (await visit(page)).text()).toContain('the payments are on their way')
      site.service.payments.find(({ destination }) => destination === debts[1])!['status'] = status
      const own = await (await visit(page)).text()
      for (const part of ['there is news about your loan', 'not every payment went through', standing])
        expect(own).toContain(part)
      for (const staff of [desk, '/operations']) expect(await (await visit(staff)).text()).toContain('Needs attention')
    })

    it('is paid with one click, and a second click does nothing', async () => {
      const { session, debts } = await releasePart()
      site.service.refusing.clear()
      const attempt = await attemptOn()
      await Promise.all([submit(`${desk}/rest`, { attempt }), submit(`${desk}/rest`, { attempt })])
      await submit(`${desk}/rest`, { attempt })
      const later = site.service.payments.filter(payment => payment['destination'] === debts[1])
      expect(later).toMatchObject([{ amount: 245_000, metadata: { session_id: session } }])
      expect(new Set(site.service.calls('POST /payments').map(call => call.key)).size).toBe(1)
      const text = await (await visit(desk)).text()
      expect(text).toContain('Sent $2,450.00 to Capital One Venture')
      expect(text).toContain('Paid after the release.')
      expect(text).not.toContain('Pay the rest')
      expect(await (await visit(page)).text()).toContain('the payments are on their way')
    })

    it('that is rejected again shows the error, and can be retried with another key', async () => {
      await releasePart()
      await submit(`${desk}/rest`, { attempt: await attemptOn() })
      expect(await (await visit(desk)).text()).toMatch(/was refused again\. <strong>PAYMENT_REFUSED_BY_RAIL/)
      site.service.refusing.clear()
      await submit(`${desk}/rest`, { attempt: await attemptOn() })
      expect(new Set(site.service.calls('POST /payments').map(call => call.key)).size).toBe(2)
      expect(await (await visit(desk)).text()).toContain('Sent $2,450.00 to Capital One Venture')
    })
  })

  it('lists the history of a case in order', async () => {
    const { session, debts } = await reachTransfer()
    site.service.refusing.add(debts[1])
    const [handle] = site.service.handles
    site.service.tokenEvents.set(handle!, [
      { type: 'opal.session.started', timestamp: '2026-03-30T09:00:00.000Z', metadata: {} },
      { type: 'connect.search.shown', timestamp: '2026-03-30T09:00:00.000Z', metadata: {} },
      {
        type: 'balance_transfer.allocations.confirmed',
        timestamp: '2026-03-30T09:01:00.000Z',
        metadata: { allocations: { [debts[0]]: 521_240, [debts[1]]: 350_000 } },
      },
    ])
    site.service.confirm(session, { [debts[0]]: 521_240, [debts[1]]: 350_000 })
    await submit(`${desk}/release`)
    const text = await (await visit(desk)).text()
    expect([...text.matchAll(/<li><span>([^<]*)<\/span> <time/g)].map(([, moment]) => moment)).toEqual([
      'Application received',
      'A token to choose the payments was created',
      'The borrower opened the flow',
      'The borrower confirmed $8,712.40 to 2 accounts',
      'The loan was released',
      '$3,500.00 to Capital One Venture ··\u00a00342: not made',
      '$5,212.40 to Chase Sapphire Reserve ··\u00a01580: pending',
    ])
  })

  it('finds a case by the borrower’s name', async () => {
    await submit('/applications', form)
    expect(await (await visit('/operations?name=riv')).text()).toContain(`href="${desk}"`)
    const other = await (await visit('/operations?name=Okafor')).text()
    expect(other).toContain('No borrower’s name contains “Okafor”.')
    expect(other).not.toContain(`href="${desk}"`)
  })

  it('lists a payment that could not be created', async () => {
    const { session, debts } = await reachTransfer()
    site.service.confirm(session, { [debts[0]]: 5_000 })
    const error = { type: 'INVALID_REQUEST', code: 400, sub_type: 'PAYMENT_REFUSED_BY_RAIL', message: 'Refused.' }
    const nothing = {
      payout_status: 'released',
      payment_ids: { [debts[0]]: null },
      payment_errors: { [debts[0]]: error },
    }
    Object.assign(site.service.sessions.get(session)?.bt ?? {}, nothing)
    expect(await (await visit(desk)).text()).toContain('PAYMENT_REFUSED_BY_RAIL: Refused.')
  })

  it('stops showing a refusal once the account was paid another way', async () => {
    const { session, debts } = await reachTransfer()
    const [account] = debts
    site.service.confirm(session, { [account]: 5_000 })
    site.service.refusing.add(account)
    await submit(`${desk}/release`, {})
    await submit(`${desk}/rest`, { attempt: '1' })
    expect(await (await visit(desk)).text()).toContain('was refused again')
    const pay = (amount: number) =>
      site.service.payments.push({
        ...{ id: `pmt_${amount}`, status: 'pending', error: null, created_at: '2026-03-30T09:30:00.000Z' },
        ...{ destination: account, amount, metadata: { session_id: session } },
      })
    pay(4_999)
    expect(await (await visit(desk)).text()).toContain('was refused again')
    pay(5_000)
    const paid = await (await visit(desk)).text()
    expect(paid).not.toMatch(/was refused again|Pay the rest/)
    expect(paid).toContain('Paid after the release.')
  })
})
