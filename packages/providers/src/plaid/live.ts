/** The live run in Plaid's sandbox. No institution and no person is real. */
import { expectEqual, type LiveRun, type LiveStep, type LiveTools } from '../testing/live-run.js'
import { checkDoctor } from '../testing/live-steps.js'
import { plaid } from './provider.js'

/** The members of errors may be null, and documents list no member of some objects. */
export const documents: LiveRun['documents'] = { names: ['plaid'], options: {} }

/** A person who does not exist. Plaid's test users have other names. */
const person = (tools: LiveTools) => tools.id('person')

const returnUrl = 'https://example.com/return'

/** Creates the run's page. A second call returns the same page. */
const createPage = (tools: LiveTools) =>
  tools.call('network/link', { person: person(tools), name: 'Sandbox Person', return_url: returnUrl }, tools.id('link'))

const steps: LiveStep[] = [
  checkDoctor(plaid),
  {
    name: 'the institutions are listed',
    async run(tools) {
      const { merchants } = await tools.call('network/tables', {}, tools.id('tables'))
      expectEqual('whether there are institutions', merchants.length > 0, true)
    },
  },
  {
    name: 'a page is created, and nothing is linked before it is opened',
    async run(tools) {
      const page = await createPage(tools)
      expectEqual('the answer', page.status, 'ready')
      if (page.status !== 'ready') return undefined
      const answer = await tools.call(
        'network/linked',
        { person: person(tools), link_id: page.link_id },
        tools.id('linked'),
      )
      expectEqual('the answer', answer.status, 'waiting')
      await tools.prompt(`Open ${page.url}, sign in as user_good with pass_good, return, and press Enter: `)
      return undefined
    },
  },
  {
    name: 'the linked accounts are found, and their institution is disconnected',
    async run(tools) {
      const page = await createPage(tools)
      if (page.status !== 'ready') return { skipped: 'there is no page' }
      const question = { person: person(tools), link_id: page.link_id }
      const answer = await tools.call('network/linked', question, tools.id('linked'))
      const institutions = answer.status === 'linked' ? answer.institutions : []
      if (institutions.length === 0) return { skipped: 'no institution was linked' }
      const found = await tools.call('network/discover', { person: person(tools) }, tools.id('discover'))
      expectEqual('the answer', found.status, 'completed')
      for (const { id } of institutions)
        await tools.call('network/unlink', { person: person(tools), institution: id }, tools.id(`unlink ${id}`))
      const after = await tools.call('network/linked', { person: person(tools) }, tools.id('after'))
      expectEqual('the institutions', after, { status: 'linked', institutions: [] })
      return undefined
    },
  },
]

export const plaidLive: LiveRun = {
  provider: plaid,
  documents,
  reads: new Set([
    ...['link_token', 'hosted_link_url', 'expiration', 'link_sessions', 'finished_at', 'results', 'item_add_results'],
    ...['public_token', 'institution', 'institution_id', 'name', 'access_token', 'item_id', 'accounts', 'account_id'],
    ...['balances', 'current', 'available', 'limit', 'iso_currency_code', 'mask', 'official_name', 'type', 'subtype'],
    ...['liabilities', 'credit', 'mortgage', 'student', 'error', 'error_code', 'institutions', 'total'],
  ]),
  options: {},
  notice: 'Creates pages in Plaid’s sandbox. No person and no institution is real.',
  steps,
}
