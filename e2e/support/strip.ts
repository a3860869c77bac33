/** Combines screenshots into rows, each of which shows a journey on a phone, and into sheets of thumbnails. */
import type { Page } from '@playwright/test'

export interface Journey {
  caption: string
  /** PNG screenshots of the flow, one for each screen. */
  screens: Buffer[]
}

/** Renders a row for each journey, with its screens at their original width in pixels. */
export async function strip(page: Page, journeys: readonly Journey[]): Promise<Buffer> {
  const row = ({ caption, screens }: Journey) =>
    `<section><h2>${caption}</h2><div>${screens
      .map(png => `<img src="data:image/png;base64,${png.toString('base64')}">`)
      .join('')}</div></section>`
  await page.setContent(`<style>
    body { margin: 0; display: inline-grid; gap: 28px; padding: 24px 28px 32px; background: #dfe4ec; font: 15px Arial, sans-serif; color: #2b3242; }
    h2 { margin: 0 0 16px 4px; font-size: 28px; }
    div { display: flex; gap: 20px; }
    img { border-radius: 20px; box-shadow: 0 1px 4px #1a223333; }
  </style>${journeys.map(row).join('')}`)
  await page.waitForFunction(() => [...document.images].every(image => image.complete))
  return page.locator('body').screenshot()
}

/**
 * Renders a sheet of labeled thumbnails as a JPEG.
 * @param wide the width of each thumbnail in pixels
 */
export async function sheet(
  page: Page,
  screens: readonly { name: string; png: Buffer }[],
  wide: number,
): Promise<Buffer> {
  const figure = ({ name, png }: (typeof screens)[number]) =>
    `<figure><img width="${wide}" src="data:image/png;base64,${png.toString('base64')}"><figcaption>${name}</figcaption></figure>`
  await page.setContent(`<style>
    body { margin: 0; display: flex; flex-wrap: wrap; align-items: start; gap: 14px 10px; padding: 14px; background: #dfe4ec; font: 13px Arial, sans-serif; color: #2b3242; }
    figure { margin: 0; }
    img { display: block; }
    figcaption { margin-top: 4px; }
  </style>${screens.map(figure).join('')}`)
  await page.waitForFunction(() => [...document.images].every(image => image.complete))
  return page.locator('body').screenshot({ type: 'jpeg', quality: 50 })
}
