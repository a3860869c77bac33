import { expect } from '@open-wc/testing'
import { gallery, NOW } from '../../dev/fixtures.js'
import { mount } from '../testing/mount.js'

for (const appearance of ['light', 'dark'] as const)
  describe(`every screen in every state, ${appearance}`, () => {
    for (const [step, states] of Object.entries(gallery))
      for (const [state, view] of Object.entries(states))
        it(`${step} ${state} has one heading, one primary action or a way out, and no fault that axe knows`, async () => {
          const { screen } = await mount(view, appearance)
          expect(screen.querySelectorAll('h1')).to.have.length(1)
          expect(screen.querySelectorAll('.dock .cta, .dock .second')).to.have.length.at.least(1)
          expect(screen.querySelectorAll('[style]:not(.dot):not(.meter-bar i):not(.fields)')).to.have.length(0)
          expect(screen.querySelector('.trust')?.textContent, 'a label, no sentence').not.to.match(/\.(?: ·|\s*$)/)
          await expect(screen).to.be.accessible()
        })
  })

it('shows on the button that it is busy, and ignores a second press', async () => {
  const { screen, sent, act, find } = await mount(gallery.consent['plain']!)
  screen.busy = true
  await screen.updateComplete
  await act()
  expect(sent).to.deep.equal([])
  expect(find('.cta').getAttribute('aria-busy')).to.equal('true')
})

for (const [code, sentence] of [
  ['unavailable', 'We can’t check that right now'],
  ['expired', 'That code has expired'],
  ['too_many_attempts', 'That was your last try with this code'],
  ['number_refused', 'didn’t accept the number after several tries'],
  ['card_refused', 'That card’s details weren’t accepted'],
  ['too_many_codes', 'Too many codes were sent to this number'],
  ['unknown', 'That wasn’t accepted'],
] as const)
  it(`says what was rejected at the previous step: ${code}`, async () => {
    const errors = [{ field: null, code, values: { retry_at: new Date(NOW + 3_600_000).toISOString() } }]
    const { find } = await mount({ ...gallery.phone['plain']!, errors })
    expect(find('.alert.whole').textContent).to.contain(sentence)
  })

it('shows a failed call above the button', async () => {
  const { screen, text, type } = await mount(gallery.phone['empty']!)
  screen.fault = { kind: 'offline', error_type: '', sub_type: '', message: '', request_id: null, wait: null }
  await screen.updateComplete
  expect(text()).to.contain('You’re offline.')
  expect(text()).not.to.contain('still here')
  await type('#phone', '512')
  expect(text()).to.contain('What you entered is still here.')
})
