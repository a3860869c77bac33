import { expect, fixture, html } from '@open-wc/testing'
import { capital, chase, gallery, NOW } from '../dev/fixtures.js'
import './app.js'
import type { FlowApp } from './app.js'
import { openExpiryDialog } from './hosted/expiry-dialog.js'
import { applyStyles, mount } from './testing/mount.js'
import { translations } from './testing/translate.js'
import { watchTranslation } from './watch-translation.js'
import { english } from './words/language.js'

let stop: () => void
beforeEach(() => {
  stop = watchTranslation(document.body)
})
afterEach(() => stop())

/** Waits until the observers have run. */
const observed = () => new Promise(resolve => setTimeout(resolve))

for (const [way, translate] of Object.entries(translations))
  describe(`after a translation with ${way}`, () => {
    it('the amounts are the sums of the fields', async () => {
      const { find, screen, type } = await mount(gallery.allocation['plain']!)
      const [input] = screen.querySelectorAll<HTMLInputElement>('input[inputmode=decimal]')
      const sums = () => [find('.meter-top strong').textContent, find('.meter-foot .num [translate=no]').textContent]
      await type(`#${input!.id}`, '5000.00')
      const amounts = ['1.00', '2.00', '99999.00']
      const expected: unknown[] = []
      for (const amount of amounts) {
        await type(`#${input!.id}`, amount)
        expected.push(sums())
      }
      const label = () => find('.meter-top span').textContent!.replace(/[«»]/g, '').trim()
      const over = label()
      await type(`#${input!.id}`, '5000.00')
      expect(label()).not.to.equal(over)
      translate(screen)
      await observed()
      const seen: unknown[] = []
      for (const amount of amounts) {
        await type(`#${find<HTMLInputElement>('input[inputmode=decimal]').id}`, amount)
        seen.push(sums())
      }
      expect(seen).to.deep.equal(expected)
      expect(label()).to.equal(over)
      expect(document.activeElement?.id).to.equal(input!.id)
    })

    it('the countdown continues, and ends with the button', async () => {
      const { find, screen } = await mount(gallery.code['plain']!)
      let now = NOW
      Object.assign(screen, { now: () => now })
      screen.requestUpdate()
      await screen.updateComplete
      translate(screen)
      await observed()
      const pass = async (seconds: number) => {
        now += seconds * 1000
        screen.requestUpdate()
        await screen.updateComplete
        return find('.textlink.num').textContent!.replace(/\s+/g, ' ').trim()
      }
      const first = await pass(1)
      const second = await pass(1)
      expect(first).to.match(/0:\d\d/)
      expect(second)
        .to.match(/0:\d\d/)
        .and.not.to.equal(first)
      expect(await pass(600)).to.equal('Send another code')
    })

    it('the warning that a session ends counts down', async () => {
      await applyStyles()
      const app = await fixture<FlowApp>(html`<causeway-flow .language=${english}></causeway-flow>`)
      let left = 100_000
      const ticks: (() => void)[] = []
      const { setInterval } = window
      Object.assign(window, { setInterval: (tick: () => void) => ticks.push(tick) })
      const dialog = await openExpiryDialog(app, false, () => left)
      Object.assign(window, { setInterval })
      translate(dialog)
      await observed()
      left = 59_000
      ticks[0]!()
      expect(dialog.textContent).to.contain('0:59').and.not.to.contain('1:40')
      dialog.close()
    })

    it('the page with what is shared asks for a confirmation, and returns', async () => {
      const { find, press, screen, text } = await mount(gallery.manage['plain']!)
      translate(screen)
      await observed()
      const [stopOne] = screen.querySelectorAll<HTMLButtonElement>('.shared button')
      stopOne!.click()
      await screen.updateComplete
      expect(find('h1').textContent!.trim()).to.match(/^Stop sharing Chase Sapphire Reserve/)
      expect(find('.cta').textContent!.trim()).to.equal('Stop sharing')
      translate(screen)
      await observed()
      await press('Keep sharing').catch(() => find<HTMLButtonElement>('.second').click())
      await screen.updateComplete
      expect(find('h1').textContent!.trim()).to.equal('What you share with Northwind Lending')
      expect(text()).to.contain('Chase Sapphire Reserve')
    })
  })

describe('data that a translation must not change', () => {
  /** Matches text that is only an amount, a rate, digits, a date without words, a countdown or a masked number. */
  const data = /^[\s\u2066-\u2069]*(?:\$[\d,.]+|[\d.,]+\s?%|[•·.*\s-]*\d[\d\s:.,-]*)[\s\u2066-\u2069]*$/

  for (const [screen, states] of Object.entries(gallery))
    it(`is marked on ${screen}`, async () => {
      for (const [state, view] of Object.entries(states)) {
        const { screen: element } = await mount(view)
        const names = new Set([chase, capital].map(({ name }) => name))
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
        const unmarked: string[] = []
        while (walker.nextNode()) {
          const { data: text, parentElement } = walker.currentNode as Text
          const trimmed = text.trim()
          if (trimmed === '' || !(data.test(trimmed) || names.has(trimmed))) continue
          if (parentElement!.closest('[translate]')?.getAttribute('translate') !== 'no') unmarked.push(trimmed)
        }
        expect(unmarked, state).to.deep.equal([])
      }
    })
})
