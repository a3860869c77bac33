import { expect } from '@open-wc/testing'
import { showPage } from './testing/show-page.js'

const dialogText = () => (document.querySelector('dialog[open]')?.textContent ?? '').replace(/\s+/g, ' ')
const COMMAND = 'pnpm admin payments start all'

afterEach(() => document.querySelector('dialog[open]')?.remove())

describe('the switch that stops payments', () => {
  it('says before a stop that only a command can lift it if there is no second operator', async () => {
    const { press } = await showPage('health', 'stopping_alone')
    await press('Stop all payments')
    expect(dialogText()).to.contain('no other operator can approve').and.to.contain(COMMAND)
  })

  it('names who can approve before payments are restarted', async () => {
    const { press } = await showPage('health', 'starting')
    await press('Restart all payments')
    expect(dialogText()).to.contain('Who can approve: Ines Farrow, Mara Lindqvist.').and.not.to.contain(COMMAND)
  })

  it('offers the command, to copy, in place of a button that would be refused', async () => {
    for (const [state, why] of [
      ['stopped_alone', 'no other operator can approve'],
      ['stopped_by_command', 'A command stopped these payments'],
    ] as const) {
      const { text, has } = await showPage('health', state)
      expect(text()).to.contain(why).and.to.contain(COMMAND)
      expect(has('.head .btn.go')).to.equal(false)
      expect(has('[aria-label="Copy the command"]')).to.equal(true)
    }
  })

  it('says nothing about another person where none is needed', async () => {
    const { press } = await showPage('health', 'stopping')
    await press('Stop all payments')
    expect(dialogText()).to.contain('Stop all payments?').and.not.to.contain('second operator')
  })
})

describe('a request to restart payments', () => {
  it('tells a user without the right that only an operator approves it, and shows the command', async () => {
    const { text } = await showPage('approval', 'start')
    expect(text()).to.contain('Only another operator').and.not.to.contain('Your role doesn’t allow it')
    expect(text()).to.contain(COMMAND)
  })
})
