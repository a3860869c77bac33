import { STATEMENT_PATH, statementMethod } from '@causeway/connector/methods/contract'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { StatementLine } from '@causeway/connector/provider/provider'
import type { CallConnector } from '../connectors/ask.js'
import type { StatementSource } from '../ports.js'
import { type ConfiguredProvider, createProviderContexts, type HostDeps } from './host.js'
import type { Routes } from './routing.js'

/** Creates the statement of the operator's connector. */
export const createConnectorStatement = (
  callConnector: CallConnector,
  routes: Routes,
  { clock }: { clock: () => number },
): StatementSource => ({
  provider: 'connector',
  isRail: routes.get('rail/submit') === 'connector',
  read: (team, query) =>
    callConnector(STATEMENT_PATH, statementMethod, {
      ...{ request_id: 'statement', team_id: team, now: clock() },
      ...query,
    }) as ReturnType<StatementSource['read']>,
})

const isValid = ({ id, amount, at }: StatementLine): boolean =>
  id !== '' && Number.isSafeInteger(amount) && Number.isFinite(at)

/** Creates the statements of the providers in this process that have any. */
export const createStatementSources = (
  { routes, providers }: { routes: Routes; providers: readonly ConfiguredProvider[] },
  deps: Omit<HostDeps, 'metrics'>,
): StatementSource[] =>
  providers.flatMap(configured => {
    const { name, title, statement } = configured.provider
    if (!statement) return []
    const contextOf = createProviderContexts(configured, deps)
    return {
      provider: name,
      isRail: routes.get('rail/submit') === name,
      async read(team, query) {
        const page = await statement(contextOf(team), query)
        if (!page.lines.every(isValid))
          throw new OutsideError(`${title} did not answer: a line of the statement is invalid.`, { outcome: 'nothing' })
        return page
      },
    }
  })
