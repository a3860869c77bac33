import type { Page } from '@playwright/test'
import { startHost } from './support/host.js'
import type { Service } from './support/processes.js'
import { expect, test } from './support/test.js'

/** Returns the version and the hash that the service publishes for its kit. */
async function integrityOf({ frameOrigin }: Service): Promise<{ version: string; hash: string }> {
  const { version, 'kit.js': hash } = (await (await fetch(`${frameOrigin}/v1/integrity.json`)).json()) as Record<
    string,
    string
  >
  return { version: version!, hash: hash! }
}

/** Returns the number of defined custom elements on a page with this script tag. */
async function alive(page: Page, service: Service, script: string): Promise<number> {
  const host = await startHost(service, { script })
  try {
    await page.goto(host.origin)
    return await page.evaluate(
      () => document.querySelectorAll(':is(connect-element, opal-balance-transfer-element):defined').length,
    )
  } finally {
    await host.stop()
  }
}

test('the exact version runs with its hash and is cached permanently; v1 is the same script, cached for minutes', async ({
  page,
  service,
}) => {
  const { version, hash } = await integrityOf(service)
  const exact = `${service.frameOrigin}/${version}/kit.js`
  expect(await alive(page, service, `src="${exact}" integrity="${hash}"`)).toBe(2)
  const [fixed, moving] = await Promise.all([fetch(exact), fetch(`${service.frameOrigin}/v1/kit.js`)])
  expect(fixed.headers.get('cache-control')).toContain('immutable')
  expect(moving.headers.get('cache-control')).toBe('public, max-age=300')
  expect(await moving.text()).toBe(await fixed.text())
})

test('a script that does not match its hash does not run', async ({ page, service }) => {
  const { hash } = await integrityOf(service)
  const other = hash.replace(/-./, first => (first === '-A' ? '-B' : '-A'))
  expect(await alive(page, service, `src="${service.frameOrigin}/v1/kit.js" integrity="${other}"`)).toBe(0)
  expect(await alive(page, service, `src="${service.frameOrigin}/v1/kit.js" integrity="${hash}"`)).toBe(2)
})
