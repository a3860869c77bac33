/** Lays pictures side by side: journeys on a phone, and sheets of everything in small. */
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

/** Every picture of a sheet in small, light and dark beside each other, under its name. JPEG. */
export async function sheet(
  page: Page,
  screens: readonly { name: string; pictures: Buffer[] }[],
  small: number,
): Promise<Buffer> {
  const figure = ({ name, pictures }: (typeof screens)[number]) =>
    `<figure>${pictures
      .map(png => `<img width="${small}" src="data:image/png;base64,${png.toString('base64')}">`)
      .join('')}<figcaption>${name}</figcaption></figure>`
  await page.setContent(`<style>
    body { margin: 0; display: flex; flex-wrap: wrap; align-items: start; gap: 18px; padding: 18px; background: #dfe4ec; font: 12px system-ui, sans-serif; color: #2b3242; }
    figure { margin: 0; }
    img { display: inline-block; vertical-align: top; margin-right: 4px; }
    figcaption { margin-top: 4px; }
  </style>${screens.map(figure).join('')}`)
  await page.waitForFunction(() => [...document.images].every(image => image.complete))
  return page.locator('body').screenshot({ type: 'jpeg', quality: 60 })
}
