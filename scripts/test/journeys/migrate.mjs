/** Journeys on pages that use the interfaces of Opal and of Elements without a bundler. */
import { Api } from '../../../e2e/support/api.js'
import { headings } from '../../../e2e/support/headings.js'
import { serveElementsPage, serveOpalPage } from '../../../e2e/support/migrated-pages.js'
import { phones } from '../../../e2e/support/people.js'

async function link({ page, flow }) {
  await page.press('Link your accounts')
  await flow.at(headings.shareAccounts)
  await flow.press('Agree and continue')
  await flow.at(headings.code)
  await flow.fill(/^Six-digit code/, '123456')
  await flow.at(/^Which accounts should .+ use/)
  await flow.choose('Citi Double Cash')
  await flow.press(/^Continue with/)
  await flow.at(headings.connected)
  await flow.press('Done')
  await page.misses({ css: 'iframe' })
}

/** Each journey with the function that serves its page. */
export const migrateJourneys = {
  'a person links accounts on a page of Elements': {
    async serve(service) {
      const api = new Api(service)
      return serveElementsPage(service, await api.connectToken(await api.person(phones.allPayable)))
    },
    async journey(person) {
      await link(person)
      await person.page.sees({ text: 'open success exit' })
    },
  },
  'a person links accounts on a page of Opal with an import map': {
    async serve(service) {
      const api = new Api(service)
      const person = await api.person(phones.allPayable)
      return serveOpalPage(service, await api.opalToken('connect', person, { selection_type: 'multiple' }))
    },
    async journey(person) {
      await link(person)
      await person.page.sees({ text: 'open exit' })
    },
  },
}
