import { STATEMENT_PATH, statementMethod } from '@causeway/connector/methods/contract'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import { RejectedKeyError } from '@causeway/connector/provider/guarded-fetch'
import type { StatementLine } from '@causeway/connector/provider/provider'
import type { CallConnector } from '../connectors/ask.js'
import type { ProviderUsage, StatementSource } from '../ports.js'
import { watchCredentials } from './health.js'
import { type ConfiguredProvider, createProviderContexts, type HostDeps } from './host.js'

/** Creates the statement of the operator's connector. */
export const createConnectorStatement = (
  callConnector: CallConnector,
  { clock }: { clock: () => number },
): StatementSource => ({
  provider: 'connector',
  read: (team, query) =>
    callConnector(STATEMENT_PATH, statementMethod, {
      ...{ request_id: 'statement', team_id: team, now: clock() },
      ...query,
    }) as ReturnType<StatementSource['read']>,
})

interface StatementDeps extends Omit<HostDeps, 'metrics'> {
  /** Counts the calls. Absent in commands. */
  providerUsage?: Pick<ProviderUsage, 'countCall'>
}

const isValid = ({ id, amount, at }: StatementLine): boolean =>
  id !== '' && Number.isSafeInteger(amount) && Number.isFinite(at)

/** Creates the statements of the providers in this process that have any. */
export const createStatementSources = (
  providers: readonly ConfiguredProvider[],
  deps: StatementDeps,
): StatementSource[] =>
  providers.flatMap(configured => {
    const { name, title, statement } = configured.provider
    if (!statement) return []
    const contextOf = createProviderContexts(configured, deps)
    const recordCredentials = watchCredentials(deps, name)
    return {
      provider: name,
      async read(team, query) {
        try {
          const page = await statement(contextOf(team), query)
          if (!page.lines.every(isValid))
            throw new OutsideError(`${title} did not answer: a line of the statement is invalid.`, {
              outcome: 'nothing',
            })
          deps.providerUsage?.countCall(name, STATEMENT_PATH)
          // A page without lines may need no request.
          if (page.lines.length > 0) await recordCredentials(true)
          return page
        } catch (error) {
          deps.providerUsage?.countCall(name, STATEMENT_PATH, error)
          if (error instanceof RejectedKeyError) await recordCredentials(false)
          throw error
        }
      },
    }
  })
