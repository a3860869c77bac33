/** Shows a page anew when our server has heard more news than the page shows. */
export {}

const place = () => document.querySelector<HTMLElement>('[data-told]')

/** The borrower may be in the middle of something; then nothing moves under their hands. */
const isBusy = () => document.querySelector('[data-open]:disabled') !== null

/** Changes only what differs: a button that somebody presses at this moment stays the same button. */
function patch(old: Element, fresh: Element) {
  if (old.isEqualNode(fresh)) return
  const holdsOnlyElements = (each: Element) => [...each.childNodes].every(node => !(node as Text).data?.trim())
  const isAlike = old.tagName === fresh.tagName && old.childElementCount === fresh.childElementCount
  if (!isAlike || old.childElementCount === 0 || ![old, fresh].every(holdsOnlyElements)) return old.replaceWith(fresh)
  for (const { name, value } of fresh.attributes) old.setAttribute(name, value)
  const after = [...fresh.children]
  for (const [index, child] of [...old.children].entries()) patch(child, after[index]!)
}

async function refresh(): Promise<boolean> {
  const response = await fetch(location.pathname, { headers: { Accept: 'text/html' } })
  const fresh = response.ok && new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main')
  const main = document.querySelector('main')
  if (!fresh || !main) return false
  patch(main, fresh)
  return true
}

let heard = 0
let isLooking = false

/** One look at a time: two at once could end with the older one shown. */
async function look() {
  if (isLooking) return
  isLooking = true
  try {
    while (heard > Number(place()?.dataset['told']) && (await refresh()));
  } finally {
    isLooking = false
  }
}

const { application, news } = place()?.dataset ?? {}
const of = application ?? news
if (of !== undefined)
  new EventSource(`/news?of=${of}`).addEventListener('message', ({ data }) => {
    heard = Number(data)
    if (application === undefined) void look()
    else if (heard > Number(place()?.dataset['told']) && !isBusy()) location.reload()
  })
