/**
 * Combines the screenshots that `screens.ts` takes into sheets with thumbnails of all screens:
 * `docs/images/screens-phone.jpg`, `screens-phone-dark.jpg`, `screens-desktop.jpg` and `screens-arabic.jpg`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sheet } from '../support/strip.js'
import { test } from '../support/test.js'

const folder = fileURLToPath(new URL('../../test-results/shots', import.meta.url))
const images = fileURLToPath(new URL('../../docs/images', import.meta.url))
const sheets = [
  { file: 'screens-phone', size: 'phone', scheme: 'light', wide: 172 },
  { file: 'screens-phone-dark', size: 'phone', scheme: 'dark', wide: 128 },
  { file: 'screens-desktop', size: 'desktop', scheme: 'light', wide: 300 },
  { file: 'screens-arabic', size: 'arabic', scheme: 'light', wide: 128 },
]

/** Returns a sort key: the flow's screens come first, by name, and then the lender's pages, whose heights vary. */
const rank = (name: string) => `${Number(name.startsWith('demo-'))}${name}`

test('thumbnails of all screens', async ({ page }) => {
  await page.setViewportSize({ width: 1720, height: 900 })
  for (const { file, size, scheme, wide } of sheets) {
    const screens = readdirSync(folder)
      .flatMap(picture => picture.match(`^(.+)-${size}-${scheme}\\.png$`)?.[1] ?? [])
      .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
      .map(name => ({ name, png: readFileSync(`${folder}/${name}-${size}-${scheme}.png`) }))
    writeFileSync(`${images}/${file}.jpg`, await sheet(page, screens, wide))
  }
})
