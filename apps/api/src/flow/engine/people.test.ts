import type { SessionView } from '@causeway/contract/session'
import { describe, expect, it } from 'vitest'
import { people } from '../../sandbox/tables/people.js'
import { arriveAs, atSelection, someone } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const service = await testService()

const blocked = (view: SessionView) => [view.step, (view.data as { reason?: string }).reason]

/**
 * The outcome for each verified sandbox person. A list contains each account's status, in the order in which
 * docs/sandbox.md lists the accounts.
 */
const ends: Record<string, string | string[]> = {
  '+15125550100': ['ready', 'needs_number', 'ready', 'no_payment_rail', 'nothing_owed'],
  '+15125550101': ['ready', 'ready', 'ready', 'ready'],
  '+15125550102': ['ready', 'ready'],
  '+15125550103': ['ready', 'ready'],
  '+15125550104': ['ready', 'ready'],
  '+15125550105': 'no_accounts',
  '+15125550106': 'thin_file',
  '+15125550107': 'credit_freeze',
  '+15125550108': ['needs_number', 'ready'],
  '+15125550109': ['ready', 'ready', 'ready'],
  '+15125550110': ['ready', 'ready'],
  '+15125550111': ['ready', 'ready'],
  '+15125550112': ['ready', 'ready'],
  '+15125550120': ['ready', 'ready', 'ready', 'ready'],
  '+15121231111': ['ready', 'ready', 'ready'],
  '+15121231112': ['ready', 'authorized_user', 'closed'],
  '+15121231113': ['ready', 'ready', 'ready'],
  '+15121231122': ['ready', 'ready'],
  '+16505551115': ['ready', 'ready', 'ready'],
}

describe("the sandbox's people", () => {
  it('every sandbox person is tested', () => {
    expect(Object.keys(ends).sort()).toEqual(people.map(person => person.phone).sort())
  })

  it.each(people.map(person => [person.phone, person.scenario] as const))('%s: %s', async phone => {
    const { person } = await atSelection(service, phone)
    const wanted = ends[phone]!
    if (typeof wanted === 'string') return expect(blocked(person.view)).toEqual(['blocked', wanted])
    const { accounts } = person.data('selection')
    const byAge = [...accounts].sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(byAge.map(account => account.reason ?? account.status)).toEqual(wanted)
    for (const account of accounts) expect(account).toMatchObject({ selected: false, institution: expect.any(String) })
  })

  it('a last name that does not match, with no questions left, ends the flow', async () => {
    const entity = await someone(service, '+15125550101', { last_name: 'Nomatch' })
    const person = await arriveAs(service, entity)
    await person.arriveAtAccounts()
    expect(blocked(person.view)).toEqual(['blocked', 'identity_failed'])
  })
})
