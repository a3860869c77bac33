/** Fixes the roles that axe reports as errors in the default theme's elements. */

const groups = () => document.querySelectorAll('.VPSidebarItem.collapsible > .item[role="button"]')

/**
 * Makes each menu group a single button that shows whether the group is open. The theme adds a second button inside it.
 */
function repairGroups() {
  for (const item of groups()) {
    for (const name of ['role', 'tabindex', 'aria-label']) item.querySelector('.caret')?.removeAttribute(name)
    item.setAttribute('aria-expanded', String(!item.parentElement.classList.contains('collapsed')))
  }
}

/**
 * Adds a main landmark to the home page, which has none in the theme. On other pages, the theme puts one inside this
 * element.
 */
export function repair() {
  const content = document.querySelector('#VPContent')
  if (content?.classList.contains('is-home')) content.setAttribute('role', 'main')
  else content?.removeAttribute('role')
  repairGroups()
}

/** Scrolls the menu to the current page, which can be out of view in a long menu. */
export function showCurrent() {
  const menu = document.querySelector('.VPSidebar')
  const item = menu?.querySelector('.VPSidebarItem.is-link.is-active')
  if (!item) return
  const { top, bottom } = item.getBoundingClientRect()
  if (top < 80 || bottom > innerHeight - 20) menu.scrollTop += top - innerHeight / 2
}

/**
 * Makes the search overlay a dialog. In the overlay's list, gives the option role to each link rather than to the item
 * around the link.
 */
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

/** Fixes the search overlay when it opens and whenever the results change. */
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
  // Wait for the theme to open or close the group first.
  for (const type of ['click', 'keydown']) addEventListener(type, () => setTimeout(repairGroups))
}
