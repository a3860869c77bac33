import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** Every barrier that axe finds on the page and in its frames. */
export async function violations(page: Page): Promise<string[]> {
  // Axe comes with the types of another Playwright, hence the cast.
  const { violations: found } = await new AxeBuilder({ page: page as never })
    .options({ resultTypes: ['violations'] })
    .analyze()
  return found.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.target.join(' ')} ${node.failureSummary}`))
}
