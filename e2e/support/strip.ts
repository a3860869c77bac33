/** Lays pictures of a phone side by side, with a caption over each journey. */
import type { Page } from '@playwright/test'

export interface Journey {
  caption: string
  /** PNG of the flow, one for each screen. */
  screens: Buffer[]
}

const width = 236

export async function strip(page: Page, journeys: readonly Journey[]): Promise<Buffer> {
  const column = ({ caption, screens }: Journey) =>
    `<section><h2>${caption}</h2><div>${screens
      .map(png => `<img width="${width}" src="data:image/png;base64,${png.toString('base64')}">`)
      .join('')}</div></section>`
  await page.setContent(`<style>
    body { margin: 0; display: inline-flex; gap: 40px; padding: 20px 28px 28px; background: #dfe4ec; font: 15px system-ui, sans-serif; color: #2b3242; }
    h2 { margin: 0 0 12px 4px; font-size: 16px; }
    div { display: flex; gap: 14px; }
    img { border-radius: 14px; box-shadow: 0 8px 24px #1a223322; }
  </style>${journeys.map(column).join('')}`)
  await page.waitForFunction(() => [...document.images].every(image => image.complete))
  return page.locator('body').screenshot()
}
