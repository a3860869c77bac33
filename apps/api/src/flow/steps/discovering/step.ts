import { showTime } from '../../../platform/show.js'
import { defineStep } from '../define-step.js'

/** The time after which the page reports that the search is slow. */
const SLOW_SEARCH_MS = 6_000

/** Shows that the account search is in progress. The frame polls, so the step takes no input. */
export const discovering = defineStep({
  name: 'discovering',
  flow: 'connect',
  show({ connect, accounts }, scope) {
    const started = connect?.created_at ?? scope.now
    const sources = scope.deps.ports.network.bureau() === undefined ? [] : ['bureau']
    const asking = connect?.status === 'completed' ? [...new Set(accounts.map(found => found.institution))] : sources
    return { asking, started_at: showTime(started), slow: scope.now - started > SLOW_SEARCH_MS, waiting: true }
  },
})
