/** Reports the content's height at most ten times a second so that an inline frame can be sized to fit. */
const MIN_REPORT_INTERVAL_MS = 100

/** Returns the natural height of the content, which does not depend on the window's height. */
function natural(app: HTMLElement): number {
  let sum = 0
  for (const part of app.querySelectorAll<HTMLElement>('.top, .dock, .state')) sum += part.offsetHeight
  for (const body of app.querySelectorAll<HTMLElement>('.body')) {
    const style = getComputedStyle(body)
    const padding = Number.parseFloat(style.paddingBlockStart) + Number.parseFloat(style.paddingBlockEnd)
    for (const child of body.children) sum += (child as HTMLElement).offsetHeight
    sum += padding
  }
  return Math.ceil(sum)
}

export function reportHeight(app: HTMLElement, report: (height: number) => void): void {
  let told = 0
  let due = false
  const look = () => {
    due = false
    const height = natural(app)
    if (height === told || height === 0) return
    told = height
    report(height)
  }
  const plan = () => {
    if (!due) setTimeout(look, MIN_REPORT_INTERVAL_MS)
    due = true
  }
  const observer = new ResizeObserver(plan)
  observer.observe(app)
  // If the shell is as tall as the window, a resize observer on the shell doesn't detect that the content has grown.
  new MutationObserver(() => {
    for (const part of app.querySelectorAll('.content, .dock, .state')) observer.observe(part)
    plan()
  }).observe(app, { childList: true, subtree: true })
}
