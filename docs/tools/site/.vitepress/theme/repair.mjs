/** Repairs the roles that the default theme gives its elements, which axe reports. */

const groups = () => document.querySelectorAll('.VPSidebarItem.collapsible > .item[role="button"]')

/** A group of the menu is one button that says whether it is open. The theme has a second button inside it. */
function repairGroups() {
  for (const item of groups()) {
    for (const name of ['role', 'tabindex', 'aria-label']) item.querySelector('.caret')?.removeAttribute(name)
    item.setAttribute('aria-expanded', String(!item.parentElement.classList.contains('collapsed')))
  }
}

/** The first page has no main landmark in the theme. The others have one inside this element. */
export function repair() {
  const content = document.querySelector('#VPContent')
  if (content?.classList.contains('is-home')) content.setAttribute('role', 'main')
  else content?.removeAttribute('role')
  repairGroups()
}

/** Scrolls the menu to the current page, which a long menu hides. */
export function showCurrent() {
  const menu = document.querySelector('.VPSidebar')
  const item = menu?.querySelector('.VPSidebarItem.is-link.is-active')
  if (!item) return
  const { top, bottom } = item.getBoundingClientRect()
  if (top < 80 || bottom > innerHeight - 20) menu.scrollTop += top - innerHeight / 2
}

/** The overlay is a dialog. A result is one option of its list: the link, and not the item around it. */
function repairSearch(box) {
  for (const name of ['aria-expanded', 'aria-haspopup', 'aria-labelledby', 'aria-owns']) box.removeAttribute(name)
  box.setAttribute('role', 'dialog')
  box.setAttribute('aria-label', 'Search')
  for (const item of box.querySelectorAll('li[aria-selected]')) {
    const link = item.querySelector('a')
    link.setAttribute('role', 'option')
    link.setAttribute('aria-selected', item.getAttribute('aria-selected'))
    link.id = `${item.id}-link`
    item.removeAttribute('aria-selected')
    item.setAttribute('role', 'none')
  }
  for (const key of box.querySelectorAll('kbd[aria-label]')) key.setAttribute('role', 'img')
  const input = box.querySelector('input')
  const active = input?.getAttribute('aria-activedescendant')
  if (active && !active.endsWith('-link')) input.setAttribute('aria-activedescendant', `${active}-link`)
}

/** Repairs the search when it opens, and whenever its results change. */
export function followSearch() {
  new MutationObserver(() => {
    const box = document.querySelector('.VPLocalSearchBox:not([role="dialog"])')
    if (!box) return
    repairSearch(box)
    new MutationObserver(() => repairSearch(box)).observe(box, {
      childList: true,
      subtree: true,
      attributeFilter: ['aria-selected', 'aria-activedescendant'],
    })
  }).observe(document.body, { childList: true, subtree: true })
}

export function followGroups() {
  // The theme opens and closes the group first.
  for (const type of ['click', 'keydown']) addEventListener(type, () => setTimeout(repairGroups))
}
