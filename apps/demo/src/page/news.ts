/** Shows a page anew when our server hears that what it shows changed. */
export {}

const shown = document.querySelector<HTMLElement>('[data-application], [data-news]')
const about = shown?.dataset['application'] ?? shown?.dataset['news']

/** The borrower may be in the middle of something; then nothing moves under their hands. */
const isBusy = () => document.querySelector('[data-open]:disabled') !== null

async function refresh() {
  const response = await fetch(location.pathname, { headers: { Accept: 'text/html' } })
  if (!response.ok) return
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main')
  if (fresh) document.querySelector('main')?.replaceWith(fresh)
}

if (about !== undefined)
  new EventSource('/news').addEventListener('message', ({ data }) => {
    if (about !== '' && data !== about) return
    if (shown?.dataset['application'] === undefined) void refresh()
    else if (!isBusy()) location.reload()
  })
