/** Steps that the live runs of all providers have. */
import type { Provider, ProviderFinding } from '@causeway/connector/provider/provider'
import type { LiveStep } from './live-run.js'

/** The checks of `pnpm admin doctor`. */
export const checkDoctor = ({ check }: Pick<Provider, 'check'>): LiveStep => ({
  name: 'the checks of the doctor find no problem',
  async run({ context }) {
    const problems: ProviderFinding[] = []
    for await (const finding of check(context)) if (finding.level === 'problem') problems.push(finding)
    if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join(' '))
  },
})
