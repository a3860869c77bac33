import { LINKING_KEY } from '@causeway/contract/linking'
import type { ViewOf } from '@causeway/contract/session'
import { waitFor } from '@causeway/ui/testing/wait-for'
import { expect } from '@open-wc/testing'
import { gallery } from '../../../dev/fixtures.js'
import type { Announcement } from '../../requests.js'
import { mount } from '../../testing/mount.js'

const views = gallery.link
const { url } = (views['plain'] as ViewOf<'link'>).data

/** The windows that the screen opened, and whether the browser blocks them. */
const opened: { url: string; features: string; closed: boolean; opener: unknown; close(): void }[] = []
let isBlocked = false
const { open } = window

/** Counts the links that the browser would follow, and keeps it from following them. */
let followed = 0
const stay = (event: MouseEvent) => {
  if (event.defaultPrevented || !(event.target as Element).closest('a')) return
  followed += 1
  event.preventDefault()
}

beforeEach(() => {
  opened.length = 0
  followed = 0
  isBlocked = false
  window.open = ((to: string, _name: string, features: string) => {
    if (isBlocked) return null
    const page = { url: to, features, closed: false, opener: window as unknown, close: () => (page.closed = true) }
    opened.push(page)
    return page
  }) as never
  document.addEventListener('click', stay)
})
afterEach(() => {
  window.open = open
  document.removeEventListener('click', stay)
  delete document.documentElement.dataset['display']
  sessionStorage.removeItem(LINKING_KEY)
})

describe('the link to the provider', () => {
  it('opens a window that can’t reach the flow, and says that it was opened', async () => {
    const { act, sent, find } = await mount(views['plain']!)
    expect(find('.cta').getAttribute('href')).to.equal(url)
    await act()
    expect(opened).to.have.length(1)
    expect(opened[0]).to.include({ url, opener: null })
    expect(opened[0]!.features).to.contain('popup')
    expect(followed).to.equal(0)
    expect(sent).to.deep.equal([{ action: 'open' }])
  })

  it('is followed by the browser if it blocks windows', async () => {
    isBlocked = true
    const { act, sent, find } = await mount(views['plain']!)
    await act()
    expect(followed).to.equal(1)
    expect(find('.cta').getAttribute('target')).to.equal('_blank')
    expect(sent).to.deep.equal([{ action: 'open' }])
  })

  it('is left to the browser if the person asks for a tab of their own', async () => {
    const { find, sent } = await mount(views['plain']!)
    find('.cta').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true }))
    expect([opened.length, followed]).to.deep.equal([0, 1])
    expect(sent).to.deep.equal([{ action: 'open' }])
  })

  it('leads to the same tab on a hosted page, after the way back is stored', async () => {
    const { act, sent } = await mount(views['plain']!)
    document.documentElement.dataset['display'] = 'page'
    await act()
    expect([opened.length, followed]).to.deep.equal([0, 0])
    expect(sessionStorage.getItem(LINKING_KEY)).to.equal(String(history.length))
    expect(sent).to.deep.equal([{ action: 'open' }])
  })
})

describe('the person’s return', () => {
  it('is checked when the window closes, and ends with the list of what was linked', async () => {
    const { screen, act, show, sent, find, text } = await mount(views['plain']!)
    await act()
    await show({ ...views['waiting']!, revision: 2 })
    expect(text()).to.contain('Finish in the other window')
    const before = sent.length
    opened[0]!.closed = true
    await waitFor(() => sent.length > before)
    expect(sent.at(-1)).to.deep.equal({ action: 'check' })
    const said: string[] = []
    screen.addEventListener('announcement', event => said.push((event as Announcement).text))
    await show({ ...views['linked']!, revision: 3 })
    expect(said).to.have.length(1)
    expect(document.activeElement).to.equal(find('h1'))
    await expect(screen).to.be.accessible()
  })

  it('is checked when the flow is in front again, only while the person is away', async () => {
    const { sent, show } = await mount(views['plain']!)
    window.dispatchEvent(new Event('focus'))
    expect(sent).to.deep.equal([])
    await show({ ...views['waiting']!, revision: 2 })
    window.dispatchEvent(new Event('focus'))
    window.dispatchEvent(new Event('focus'))
    expect(sent).to.deep.equal([{ action: 'check' }])
  })

  it('closes the window that is still open', async () => {
    const { act, show } = await mount(views['plain']!)
    await act()
    await show({ ...views['waiting']!, revision: 2 })
    await show({ ...views['linked']!, revision: 3 })
    expect(opened[0]!.closed).to.equal(true)
  })
})

describe('the list of institutions', () => {
  it('continues with one tap, and offers another institution', async () => {
    const { act, sent, find } = await mount(views['linked']!)
    expect(find('a.second').getAttribute('href')).to.equal(url)
    await act()
    expect(sent).to.deep.equal([{ action: 'continue' }])
  })

  it('says whose name was expected', async () => {
    const { text } = await mount(views['mismatch']!)
    expect(text()).to.contain('Kevin Doyle')
  })

  it('repairs one institution, or continues without it', async () => {
    const broken = views['broken'] as ViewOf<'link'>
    const { name, id } = broken.data.institutions.find(({ status }) => status === 'repair')!
    const { press, sent, screen } = await mount(broken)
    await press(`Sign in again: ${name}`)
    expect(sent).to.deep.equal([{ action: 'repair', institution: id }])
    await expect(screen).to.be.accessible()
    const stopped = await mount(views['repair']!)
    await stopped.press('Continue without it')
    expect(stopped.sent).to.deep.equal([{ action: 'continue' }])
  })
})
