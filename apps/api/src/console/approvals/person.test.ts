import { describe, expect, it } from 'vitest'
import { canBeSamePerson, type Person } from './person.js'

const account = (actor: string, email: string, name = 'Ines Farrow'): Person => ({ actor, email, name, isKey: false })
const link = (actor: string, name: string | null): Person => ({ actor, email: null, name, isKey: false })

describe('two users can be one person', () => {
  it.each([
    ['with one mailbox', account('cusr_1', 'Ines+2@Example.com', 'I. F.'), account('cusr_2', 'ines@example.com'), true],
    [
      'with one mailbox at Gmail',
      account('cusr_1', 'i.farrow@gmail.com'),
      account('cusr_2', 'ifarrow+x@GoogleMail.com'),
      true,
    ],
    ['if only dots differ elsewhere', account('cusr_1', 'i.farrow@e.org'), account('cusr_2', 'ifarrow@e.org'), false],
    ['of two mailboxes with one name', account('cusr_1', 'ines@example.com'), account('cusr_2', 'ines@e.org'), false],
    ['if a link has the name of a user', account('cusr_1', 'ines@example.com'), link('csess_1', 'farrow, inés'), true],
    ['if a link has another name', account('cusr_1', 'ines@example.com'), link('csess_1', 'Ben Okafor'), false],
    ['if both are operators without a name', link('csess_1', null), link('csess_2', null), true],
    ['if only one is an operator without a name', account('cusr_1', 'ines@example.com'), link('csess_1', null), false],
    [
      'in two sessions of one key',
      { ...link('key_1', null), isKey: true },
      { ...link('key_1', null), isKey: true },
      true,
    ],
  ])('%s: %#', (_, one, other, expected) => {
    expect([canBeSamePerson(one, other), canBeSamePerson(other, one)]).toEqual([expected, expected])
  })
})
