import { waitFor } from '@causeway/ui/testing/wait-for'
import { expect } from '@open-wc/testing'
import { reply } from '../dev/fake.js'
import { showPage } from './testing/show-page.js'

describe('the shell on a device', () => {
  for (const [platform, name] of [
    ['MacIntel', '⌘K'],
    ['iPhone', '⌘K'],
    ['Linux x86_64', 'Ctrl K'],
    ['Win32', 'Ctrl K'],
  ] as const)
    it(`names the shortcut of the search as ${name} on ${platform}`, async () => {
      Object.defineProperty(navigator, 'platform', { configurable: true, value: platform })
      try {
        const { find } = await showPage('payments', 'plain')
        expect(find('.find kbd').textContent).to.equal(name)
        document.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))
        expect(document.querySelector('dialog[aria-labelledby=help-title]')?.textContent).to.contain(`/ or ${name}`)
      } finally {
        Reflect.deleteProperty(navigator, 'platform')
        document.querySelector<HTMLDialogElement>('dialog[aria-labelledby=help-title]')?.close()
      }
    })

  it('shows the names of results in a narrow list', async () => {
    const hint = 'Phone ending in 0142'
    const hit = { kind: 'person', id: 'ent_4kXr1', title: 'Nora Quist', hint, status: 'incomplete' }
    const created_at = '2026-03-03T15:41:00.000Z'
    const { find } = await showPage('shell', 'search', { 'POST /search': reply({ data: [{ ...hit, created_at }] }) })
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', metaKey: true, bubbles: true }))
    find('#search-list').style.inlineSize = '340px'
    try {
      const input = find<HTMLInputElement>('.search input')
      input.value = 'nora'
      input.dispatchEvent(new InputEvent('input', { bubbles: true }))
      await waitFor(() => document.querySelector('.search li')?.textContent?.includes('Nora Quist'))
      const title = find('.search li .title')
      expect(title.clientWidth).to.be.greaterThan(60)
      expect(title.scrollWidth).to.equal(title.clientWidth)
    } finally {
      find<HTMLDialogElement>('dialog.search').close()
    }
  })

  it('refreshes a visible page even if the browser says that it is offline', async () => {
    const { app, calls, settle } = await showPage('payments', 'plain')
    const home = app.parentElement!
    const { setInterval } = window
    let refresh: () => void = () => undefined
    Object.assign(window, {
      setInterval: (run: () => void) => {
        refresh = run
        return 0
      },
    })
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: false })
    try {
      app.live = true
      app.remove()
      home.append(app)
      await settle()
      const before = calls('GET /payments').length
      refresh()
      await settle()
      expect(calls('GET /payments').length).to.equal(before + 1)
    } finally {
      Reflect.deleteProperty(navigator, 'onLine')
      Object.assign(window, { setInterval })
    }
  })
})

describe('the overview', () => {
  it('omits trailing zeros from dollar amounts on a scale', async () => {
    const { text } = await showPage('overview', 'plain')
    expect(text()).to.match(/\$\d[KM]/)
    expect(text()).not.to.match(/\$[\d.]+\.0/)
  })
})
