import type { SessionView } from '@causeway/contract/session'
import { expect, fixture, html } from '@open-wc/testing'
import { gallery } from '../../dev/fixtures.js'
import '../app.js'
import { waitFor } from '@causeway/ui/testing/wait-for'
import type { FlowApp } from '../app.js'
import { initial, type Message } from '../machine.js'
import { applyStyles } from '../testing/mount.js'
import { ExpiryWarning, WARNING_LEAD_MS } from './expiry-warning.js'

const plain = gallery.selection['plain']!

/** Opens a hosted page with a clock that the test controls. */
async function open() {
  await applyStyles()
  let now = Date.parse(plain.now)
  const dispatched: Message[] = []
  const app = await fixture<FlowApp>(
    html`<causeway-flow
      .now=${() => now}
      .dispatch=${(message: Message) => dispatched.push(message)}
    ></causeway-flow>`,
  )
  new ExpiryWarning(app)
  const dialog = () => document.querySelector<HTMLDialogElement>('dialog[role=alertdialog]')
  return {
    dispatched,
    dialog,
    pass: (ms: number) => (now += ms),
    /** Shows a view whose session ends after `left` milliseconds. */
    async show(left: number, view: SessionView = plain) {
      const expires_at = new Date(now + left).toISOString()
      app.state = { ...initial, phase: 'flow', view: { ...view, expires_at } }
      await app.updateComplete
    },
    async press(name: string) {
      const button = [...(dialog()?.querySelectorAll('button') ?? [])].find(each => each.textContent === name)
      if (!button) throw new Error(`no button is called ${name}`)
      button.click()
      await waitFor(() => dialog() === null)
    },
  }
}

describe('a hosted page that ends soon', () => {
  it('asks two minutes before, and stays where the person wants it to', async () => {
    const { dialog, dispatched, pass, press, show } = await open()
    await show(WARNING_LEAD_MS + 50)
    pass(50)
    await waitFor(dialog)
    expect(dialog()!.textContent).to.contain('Are you still there?')
    expect(dialog()!.textContent).to.contain('this page closes in 2:00')
    expect(document.activeElement?.textContent).to.equal('Stay on this page')
    await expect(dialog()!).to.be.accessible()
    await press('Stay on this page')
    expect(dispatched).to.deep.equal([{ type: 'refresh' }])
  })

  it('closes the warning once another call extends the session', async () => {
    const { dialog, dispatched, show } = await open()
    await show(WARNING_LEAD_MS + 50)
    await waitFor(dialog)
    await show(900_000)
    await waitFor(() => dialog() === null)
    expect(dispatched).to.deep.equal([])
  })

  it('counts down, and queries the service at the end', async () => {
    const { dialog, dispatched, pass, show } = await open()
    await show(WARNING_LEAD_MS + 50)
    await waitFor(dialog)
    pass(60_050)
    await waitFor(() => dialog()?.textContent?.includes('1:00'))
    pass(60_000)
    await waitFor(() => dialog() === null)
    expect(dispatched).to.deep.equal([{ type: 'refresh' }])
  })

  it("warns only once when the session can't be extended", async () => {
    const { dialog, dispatched, pass, press, show } = await open()
    await show(100_000)
    await waitFor(dialog)
    expect(dialog()!.textContent).to.contain('closes in 1:40')
    await press('OK')
    expect(dispatched).to.have.length(1)
    pass(99_900)
    await show(100)
    await waitFor(() => dispatched.length === 2)
    expect(dialog()).to.equal(null)
  })

  it('shows no warning on a finished page', async () => {
    const finished = await open()
    await finished.show(100_000, gallery.done['plain'])
    const unfinished = await open()
    await unfinished.show(100_000)
    await waitFor(unfinished.dialog)
    expect(document.querySelectorAll('dialog')).to.have.length(1)
    await unfinished.press('OK')
    expect([finished.dispatched.length, unfinished.dispatched.length]).to.deep.equal([0, 1])
  })
})
