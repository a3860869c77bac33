/** All screens in small, from what shots.ts took: `docs/images/screens-phone.jpg` and `screens-desktop.jpg`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sheet } from './support/strip.js'
import { test } from './support/test.js'

const folder = fileURLToPath(new URL('../test-results/shots', import.meta.url))
const images = fileURLToPath(new URL('../docs/images', import.meta.url))

test('all screens in small', async ({ page }) => {
  await page.setViewportSize({ width: 1720, height: 900 })
  for (const [size, small] of Object.entries({ phone: 130, desktop: 270 })) {
    const names = readdirSync(folder).flatMap(file => file.match(`^(.+)-${size}-light\\.png$`)?.[1] ?? [])
    const pictures = (name: string) =>
      ['light', 'dark'].map(scheme => readFileSync(`${folder}/${name}-${size}-${scheme}.png`))
    const screens = names.map(name => ({ name, pictures: pictures(name) }))
    writeFileSync(`${images}/screens-${size}.jpg`, await sheet(page, screens, small))
  }
})
