/** Refreshes a page when the server has received changes since the page was rendered. */
export {}

const place = () => document.querySelector<HTMLElement>('[data-told]')

/** True while the borrower is in a flow. The page must not refresh during that time. */
const isBusy = () => document.querySelector('[data-open]:disabled') !== null

/** Updates only the parts that differ, so that a button isn't replaced while it is being pressed. */
function patch(old: Element, fresh: Element) {
  if (old.isEqualNode(fresh)) return
  const holdsOnlyElements = (each: Element) => [...each.childNodes].every(node => !(node as Text).data?.trim())
  const isAlike = old.tagName === fresh.tagName && old.childElementCount === fresh.childElementCount
  if (!isAlike || old.childElementCount === 0 || ![old, fresh].every(holdsOnlyElements)) return old.replaceWith(fresh)
  for (const { name, value } of fresh.attributes) old.setAttribute(name, value)
  // Keep the `open` attribute so that dialogs and disclosures stay open.
  for (const { name } of [...old.attributes])
    if (name !== 'open' && !fresh.hasAttribute(name)) old.removeAttribute(name)
  const after = [...fresh.children]
  for (const [index, child] of [...old.children].entries()) patch(child, after[index]!)
}

async function refresh(): Promise<boolean> {
  const response = await fetch(location.pathname + location.search, { headers: { Accept: 'text/html' } })
  const fresh = response.ok && new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main')
  const main = document.querySelector('main')
  if (!fresh || !main) return false
  patch(main, fresh)
  return true
}

let heard = 0
let isLooking = false

/** Runs one refresh at a time. Otherwise, an older refresh could finish last. */
async function look() {
  if (isLooking) return
  isLooking = true
  try {
    while (!isBusy() && heard > Number(place()?.dataset['told']) && (await refresh()));
  } finally {
    isLooking = false
  }
}

const of = place()?.dataset['news']
if (of !== undefined) {
  new EventSource(`/news?of=${of}`).addEventListener('message', ({ data }) => {
    heard = Number(data)
    void look()
  })
  document.addEventListener('flow-closed', () => void look())
}
