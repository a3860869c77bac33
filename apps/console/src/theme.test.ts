import { expect } from '@open-wc/testing'
import { currentTheme, setTheme } from './shell/theme.js'
import { showPage } from './testing/show-page.js'

const openSearch = () =>
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }))

describe('the colors', () => {
  const background = () => getComputedStyle(document.documentElement).getPropertyValue('--canvas')
  afterEach(() => setTheme('system'))

  it('follow the user’s choice instead of the system, and follow the system again', async () => {
    const { find } = await showPage('payments', 'plain')
    const system = background()
    const choose = (theme: string) => {
      const select = find<HTMLSelectElement>('.rail .me select')
      select.value = theme
      select.dispatchEvent(new Event('change'))
    }
    choose('dark')
    const dark = background()
    choose('light')
    expect(background()).not.to.equal(dark)
    expect(currentTheme()).to.equal('light')
    choose('system')
    expect(background()).to.equal(system)
    expect(document.cookie).not.to.contain('console_theme')
  })

  it('are the chosen ones when the console opens again', async () => {
    await showPage('payments', 'plain')
    const system = background()
    setTheme('dark')
    const dark = background()
    expect(dark).not.to.equal(system)
    setTheme('light')
    await showPage('payments', 'plain')
    expect(background()).not.to.equal(dark)
  })
})

describe('the commands of the search', () => {
  it('run when they are chosen', async () => {
    const { find, settle, text } = await showPage('payment', 'on_its_way')
    openSearch()
    await settle()
    const input = find<HTMLInputElement>('dialog.search input')
    input.value = 'in this zone: utc'
    input.dispatchEvent(new Event('input'))
    await settle()
    find('dialog.search [role="option"]').click()
    await settle()
    expect(text()).to.contain('created Mar 3, 3:41 PM')
  })

  it('are not listed before anything is typed', async () => {
    const { find, settle } = await showPage('payments', 'plain')
    openSearch()
    await settle()
    expect(find('dialog.search [role="listbox"]').textContent).not.to.contain('Use dark colors')
  })
})
