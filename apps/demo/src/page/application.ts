/**
 * The borrower's page. Opens the elements, passes them tokens from the lender's server, and has that server verify the
 * elements' results.
 */
export {}

/** The part of the element kit that this page uses. */
interface FlowElement extends HTMLElement {
  getToken: (reason: string) => Promise<string>
  theme: { accent: string; accent_dark: string; radius: number }
  open(): Promise<{ reason: string }>
}

const base = `/applications/${document.querySelector<HTMLElement>('[data-news]')?.dataset['news']}`

function say(text: string, tone: 'calm' | 'bad' = 'calm') {
  const status = document.querySelector<HTMLElement>('.status')
  if (!status) return
  status.textContent = text
  status.dataset['tone'] = tone
  status.hidden = text === ''
}

async function post<T>(path: string): Promise<T> {
  const response = await fetch(base + path, { method: 'POST', headers: { Accept: 'application/json' } })
  const body = await response.json()
  if (!response.ok) throw new Error(body.message)
  return body
}

/** Waits up to ten seconds for the kit, so that the button doesn't stay disabled if the kit's script fails to load. */
async function ready(tag: string): Promise<FlowElement> {
  const late = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error('The secure form didn’t load. Check your connection and try again.')), 10_000),
  )
  await Promise.race([customElements.whenDefined(tag), late])
  const element = document.querySelector<FlowElement>(tag)
  if (!element) throw new Error('This page is incomplete. Reload it.')
  return element
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

const flows: Record<string, string> = { 'connect-element': 'connect', 'opal-balance-transfer-element': 'transfer' }

async function openFlow(button: HTMLButtonElement) {
  const tag = button.dataset['open'] ?? ''
  button.disabled = true
  say('')
  try {
    const element = await ready(tag)
    element.getToken = async () => (await post<{ token: string }>(`/tokens/${flows[tag]}`)).token
    element.addEventListener('element-ready', () => element.scrollIntoView({ block: 'start' }), { once: true })
    element.theme = { accent: '#1d4ed8', accent_dark: '#8aa9ff', radius: 14 }
    const { reason } = await element.open()
    // The server has the result. Reload the page instead of using data from the browser. Until then, the page stays
    // busy: an update would show the next button, and the reload would discard a click on it.
    if (reason === 'completed') return location.reload()
  } catch (error) {
    say(error instanceof Error ? error.message : 'That didn’t work. Try again.', 'bad')
  }
  button.disabled = false
  document.dispatchEvent(new Event('flow-closed'))
}

/**
 * Shows and focuses the next action, which is far down on a phone. The browser would return to where the person was
 * before the page was reloaded.
 */
function showNext() {
  history.scrollRestoration = 'manual'
  const next = document.querySelector<HTMLElement>('[data-next]')
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest' })
}
showNext()

// Look up the button on each click, because updates replace parts of the page.
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element && target.closest<HTMLButtonElement>('[data-open]')
  if (button) void openFlow(button)
})

document.addEventListener('allocations-confirmed', async () => {
  try {
    const { accounts, total } = await post<{ accounts: number; total: number }>('/confirmed')
    say(
      `We have your choice: ${dollars.format(total / 100)} to ${accounts === 1 ? 'one account' : `${accounts} accounts`}.`,
    )
  } catch (error) {
    say(error instanceof Error ? error.message : 'We couldn’t check your choice. Reload the page.', 'bad')
  }
})
