import { expect } from '@open-wc/testing'
import { gallery, NOW } from '../../../dev/fixtures.js'
import { mount } from '../../testing/mount.js'

const errors = (field: string | null, code: string, values = {}) => ({ revision: 2, errors: [{ field, code, values }] })

describe('phone, once too many codes were sent', () => {
  it('disables the button with a countdown until a code can be sent again', async () => {
    const { screen, sent, act, find } = await mount(gallery.phone['limited']!)
    const button = find('.cta')
    expect(button.textContent?.trim()).to.equal('Text me a code in 42:12')
    expect(button.getAttribute('aria-disabled')).to.equal('true')
    await act()
    expect(sent).to.deep.equal([])
    screen.now = () => NOW + 2_532_000
    await screen.updateComplete
    expect(button.textContent?.trim()).to.equal('Text me a code')
    expect(button.getAttribute('aria-disabled')).to.equal('false')
    await act()
    expect(sent).to.deep.equal([{ action: 'send' }])
  })

  it('allows another number if the limit applies to the number, but not if it applies to the network', async () => {
    const retry_at = String(gallery.phone['limited']!.errors[0]!.values['retry_at'])
    for (const [code, sends] of [
      ['too_many_codes', [{ action: 'send', phone: '+15125550177' }]],
      ['too_many_codes_from_network', []],
    ] as const) {
      const { sent, act, press, type, text } = await mount({
        ...gallery.phone['plain']!,
        ...errors(null, code, { retry_at }),
      } as never)
      expect(text()).to.contain(code === 'too_many_codes' ? 'sent to this number' : 'requested from your network')
      await press('Use another number')
      await type('#phone', '5125550177')
      await act()
      expect(sent, code).to.deep.equal(sends)
    }
  })

  it('keeps the button disabled for a typed number that was just refused', async () => {
    const { sent, act, press, type, find, show } = await mount(gallery.phone['plain']!)
    await press('Use another number')
    await type('#phone', '5125550177')
    await act()
    await show({ ...gallery.phone['limited']!, revision: 2 } as never)
    expect(find('.cta').getAttribute('aria-disabled')).to.equal('true')
    await act()
    expect(sent).to.have.length(1)
    await type('#phone', '5125550178')
    await act()
    expect(sent).to.have.length(2)
  })
})

describe('code, once too many codes were sent', () => {
  it('counts down to the time when the limit allows another code, regardless of the earlier view', async () => {
    const limited = await mount(gallery.code['limited']!)
    await limited.press('Send again in 42:12')
    expect(limited.sent).to.deep.equal([])
    const { values } = gallery.phone['limited']!.errors[0]!
    const refused = await mount({
      ...gallery.code['resend']!,
      ...errors(null, 'too_many_codes_from_network', values),
    } as never)
    await refused.press('Send again in 42:12')
    expect(refused.sent).to.deep.equal([])
  })
})
