import type { ViewOf } from '@causeway/contract/session'
import { waitFor } from '@causeway/ui/testing/wait-for'
import { expect } from '@open-wc/testing'
import { gallery } from '../../../dev/fixtures.js'
import type { Announcement, DownloadRequest } from '../../requests.js'
import { mount } from '../../testing/mount.js'

const views = gallery.manage

describe("the person's own page", () => {
  it('names the customer, and says what is shared about each account and since when', async () => {
    const { find, text } = await mount(views['plain']!)
    expect(find('h1').textContent).to.equal('What you share with Northwind Lending')
    const first = find('#acc_A').closest('li')?.textContent?.replace(/\s+/g, ' ')
    expect(first).to.contain('Chase Sapphire Reserve')
    expect(first).to.contain('Lender, type, last digits, balance, statement details, card picture')
    expect(first).to.contain('Shared since Aug 25, 2026')
    expect(first).to.contain('Sent whenever it changes: statement details and purchases')
    expect(text()).to.contain('Since Aug 25, 2026, you also share accounts that you open later.')
  })

  it('says so when nothing is shared and nothing was agreed to', async () => {
    const { text } = await mount(views['empty']!)
    expect(text()).to.contain('You don’t share any accounts with Northwind Lending.')
    expect(text()).to.contain('You haven’t agreed to any documents here.')
  })

  it('shows each receipt with its version and language, and the text of that version', async () => {
    const { screen } = await mount(views['plain']!)
    const receipts = [...screen.querySelectorAll('details')]
    expect(receipts.map(each => each.querySelector('summary')?.textContent?.trim())).to.deep.equal([
      'Accounts that you open later · Aug 25, 2026',
      'Sharing your account information · Aug 25, 2026',
      'Electronic records and signatures · Aug 25, 2026',
    ])
    const second = receipts[1]!
    expect(second.textContent).to.match(/Version 2026-11-01\. Agreed to: Aug 25, 2026, .+, on a screen in .*Spanish/)
    second.open = true
    await waitFor(() => second.querySelector('p[lang="en"]') !== null)
    expect(second.textContent).to.contain('Northwind Lending')
  })

  it('shows the names that the person saw in a document, even if they have changed since then', async () => {
    const view = structuredClone(views['plain']) as ViewOf<'manage'>
    view.recipients = { service: 'New Name', bureau: null }
    const recipients = { service: 'Harbor Data Services', bureau: 'Sandbox Credit Bureau' }
    view.data.receipts = [
      { id: 'privacy', version: '2026-11-26', locale: 'en-US', shares: [], at: view.now, recipients },
    ]
    const { find } = await mount(view)
    const receipt = find<HTMLDetailsElement>('details')
    receipt.open = true
    await waitFor(() => receipt.textContent?.includes('goes to Harbor Data Services'))
    expect(receipt.textContent).to.contain('credit bureaus such as Sandbox Credit Bureau')
  })

  it('ends the sharing of an account only after a confirmation that names the consequences', async () => {
    const { screen, sent, find, act, press, show, text } = await mount(views['plain']!)
    await press('Stop sharing Chase Sapphire Reserve ending in 1580')
    expect(sent).to.deep.equal([])
    expect(find('h1').textContent).to.equal('Stop sharing Chase Sapphire Reserve ending in 1580?')
    await waitFor(() => document.activeElement === find('h1'))
    expect(text()).to.contain('Northwind Lending can’t see or pay this account anymore')
    expect(text()).to.contain('You can share it again on this page.')
    await press('Keep sharing')
    await waitFor(() => document.activeElement === find('#acc_A'))
    await press('Stop sharing Chase Sapphire Reserve ending in 1580')
    const said: string[] = []
    screen.addEventListener('announcement', event => said.push((event as Announcement).text))
    await act()
    expect(sent).to.deep.equal([{ action: 'withdraw', account: 'acc_A' }])
    await show({ ...views['hidden']!, revision: 2 })
    expect(said).to.deep.equal(['You no longer share Chase Sapphire Reserve ending in 1580.'])
    expect(find('h1').textContent).to.equal('What you share with Northwind Lending')
    expect(text()).to.contain('Not shared')
    expect(find('#acc_A').textContent?.trim()).to.equal('Share')
  })

  it('shares a found account again with one press, and announces it', async () => {
    const { screen, sent, press, show, text } = await mount(views['hidden']!)
    const said: string[] = []
    screen.addEventListener('announcement', event => said.push((event as Announcement).text))
    await press('Share Chase Sapphire Reserve ending in 1580')
    expect(sent).to.deep.equal([{ action: 'share', account: 'acc_A' }])
    await show({ ...views['plain']!, revision: 2 })
    expect(said).to.deep.equal(['You now share Chase Sapphire Reserve ending in 1580.'])
    expect(text()).not.to.contain('Not shared')
    await expect(screen).to.be.accessible()
  })

  it('disconnects an institution only after a confirmation that says what stays shared', async () => {
    const { screen, sent, find, act, press, show, text } = await mount(views['linked']!)
    expect(text()).to.contain('Sign in again to update your accounts')
    await press('Disconnect Harbor Credit Union')
    expect(document.activeElement).to.equal(find('h1'))
    expect(find('h1').textContent).to.equal('Disconnect Harbor Credit Union?')
    expect(text()).to.contain('You still share these accounts with Northwind Lending as they are now.')
    await press('Keep connected')
    expect(document.activeElement?.getAttribute('aria-label')).to.equal('Disconnect Harbor Credit Union')
    await press('Disconnect Harbor Credit Union')
    await act()
    expect(sent).to.deep.equal([{ action: 'disconnect', institution: '1f0c6a9e2b' }])
    const said: string[] = []
    screen.addEventListener('announcement', event => said.push((event as Announcement).text))
    await show({ ...views['plain']!, revision: 2 })
    expect(said).to.deep.equal(['Harbor Credit Union is disconnected.'])
    expect(text()).not.to.contain('Connected banks and lenders')
    await expect(screen).to.be.accessible()
  })

  it('dates accounts whose data was deleted', async () => {
    const { text } = await mount(views['withdrawn']!)
    expect(text()).to.contain('An account, until Nov 23, 2026')
  })

  it('ends the sharing of everything after its own confirmation', async () => {
    const { sent, find, act, press, text } = await mount(views['plain']!)
    await press('Stop sharing everything')
    expect(find('h1').textContent).to.equal('Stop sharing everything with Northwind Lending?')
    expect(text()).to.contain('this page won’t open again')
    await act()
    expect(sent).to.deep.equal([{ action: 'withdraw_all' }])
  })

  for (const appearance of ['light', 'dark'] as const)
    it(`marks the button that stops sharing as dangerous, readable in ${appearance}`, async () => {
      const { find, press, screen } = await mount(views['plain']!, appearance)
      expect(find('.cta').classList.contains('danger')).to.equal(false)
      const { backgroundColor } = getComputedStyle(find('.cta'))
      await press('Stop sharing everything')
      expect(getComputedStyle(find('.cta.danger')).backgroundColor).not.to.equal(backgroundColor)
      await expect(screen).to.be.accessible()
    })

  it('says that a payment prevents the withdrawal, and announces nothing else', async () => {
    const { screen, press, act, show, find } = await mount(views['plain']!)
    await press('Stop sharing everything')
    const said: Event[] = []
    screen.addEventListener('announcement', event => said.push(event))
    await act()
    await show({ ...views['failed']!, revision: 2 })
    expect(find('.alert.whole').textContent).to.contain('A payment is on its way')
    expect(said).to.have.length(0)
  })

  it('requests the download once, and reports the outcome', async () => {
    const { screen, press, text, find } = await mount(views['plain']!)
    const asked: DownloadRequest[] = []
    screen.addEventListener('download-request', event => asked.push(event as DownloadRequest))
    await press('Download your data')
    expect(text()).to.contain('Preparing the file…')
    await press('Preparing the file…')
    expect(asked).to.have.length(1)
    const fault = { kind: 'offline', error_type: '', sub_type: '', message: '', request_id: null, wait: null } as const
    asked[0]!.done({ ok: false, fault })
    await screen.updateComplete
    expect(find('.msg').textContent).to.contain('We couldn’t prepare the file.')
    await press('Download your data')
    const said: string[] = []
    screen.addEventListener('announcement', event => said.push((event as Announcement).text))
    const saved: HTMLAnchorElement[] = []
    HTMLAnchorElement.prototype.click = function () {
      saved.push(this)
    }
    asked[1]!.done({ ok: true, value: { entity: 'ent_1' } })
    Reflect.deleteProperty(HTMLAnchorElement.prototype, 'click')
    expect(saved.map(({ download }) => download)).to.deep.equal(['my-data.json'])
    expect(await (await fetch(saved[0]!.href)).json()).to.deep.equal({ entity: 'ent_1' })
    await screen.updateComplete
    expect(said).to.deep.equal(['Your data was downloaded.'])
    expect(screen.querySelector('.msg')).to.equal(null)
  })

  it('closes with Done, and says what remains after everything was withdrawn', async () => {
    const { screen, act } = await mount(views['plain']!)
    let exits = 0
    screen.addEventListener('exit-request', () => (exits += 1))
    await act()
    expect(exits).to.equal(1)
    const { text } = await mount(gallery.done['withdrawn']!)
    expect(text()).to.contain('You share nothing with Northwind Lending anymore')
    expect(text()).not.to.contain('You can stop sharing')
  })
})
