import type { problemsOf } from '@causeway/contract/allocations'
import type { StepError } from '@causeway/contract/session'

/** Converts problems with allocations to errors in the frame's format. */
export function allocationErrors(found: ReturnType<typeof problemsOf>): StepError[] {
  return found.map(problem => {
    const { code, ...rest } = problem
    const { account, ...values } = { account: null, ...rest } as { account: string | null } & Record<string, number>
    return { field: account, code, values }
  })
}
