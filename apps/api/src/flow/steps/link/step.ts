import { OutsideError } from '@causeway/connector/ports/outside-error'
import { ServiceError } from '@causeway/contract/errors'
import type { LinkedInstitution } from '@causeway/contract/session'
import { startFollowing } from '../../../people/links/job.js'
import { legalName, readPage, replacePage } from '../../../people/links/pages.js'
import { type LinkPage, type Links, lockLinks, saveLinks } from '../../../people/links/store.js'
import { showTime } from '../../../platform/show.js'
import type { Facts } from '../../session/facts.js'
import { linkProvider } from '../../session/recipients.js'
import { afterCommit, type Call, inTransaction, noErrors, type StepResult, saveChange, stepErrors } from '../call.js'
import { defineStep } from '../define-step.js'
import { institutionKey, showInstitutions } from '../institutions.js'

/** The step in which the person links institutions, on the provider's own page. */
export const link = defineStep({
  name: 'link',
  flow: 'connect',
  show(facts, scope) {
    const { page, institutions, ending } = linksOf(facts)
    return {
      provider: linkProvider(scope.deps),
      url: page.url,
      expires_at: showTime(page.expires_at),
      repairs: page.repairs && institutionKey(page.repairs),
      waiting: page.opened_at !== null,
      ending,
      institutions: showInstitutions({ institutions }),
      name: legalName(scope, facts.entity),
    }
  },
  take(call, input) {
    const action = String(input['action'])
    if (!Object.hasOwn(actions, action))
      throw new ServiceError(
        'INVALID_REQUEST',
        'input.action must be open, check, add or continue, or repair together with institution, the id of an institution.',
      )
    return actions[action]!(call, input)
  },
})

/** Returns what the person has linked, with the page that the step shows. */
function linksOf({ link }: Facts): Links & { page: LinkPage } {
  const { links } = link!
  return { ...links!, page: links!.page! }
}

const actions: Readonly<Record<string, (call: Call, input: Record<string, unknown>) => Promise<StepResult>>> = {
  /** Records that the person opened the page, whose outcome is then read until it is known. */
  open: call =>
    inTransaction(call, async tx => {
      const links = await lockLinks(tx, call.facts.entity.id)
      const { page } = links ?? {}
      // mutant: opened-page-is-followed (true)
      if (!links || !page || page.request_id !== linksOf(call.facts).page.request_id) return noErrors
      await saveLinks(tx, call.facts.entity.id, { ...links, page: { ...page, opened_at: tx.now }, ending: null })
      await startFollowing(tx, page)
      refresh(call)
      return noErrors
    }),

  check: call => outside(call, () => checkPage(call)),

  add: call => replaceWith(call, null),

  repair: async (call, { institution }) => {
    const known = linksOf(call.facts).institutions.find(
      ({ id, status }) => institutionKey(id) === institution && canRepair(status),
    )
    return known ? replaceWith(call, known.id) : stepErrors(null, 'changed')
  },

  /** Finds the accounts of the linked institutions. */
  continue: async call => {
    const { institutions } = linksOf(call.facts)
    // mutant: nothing-linked-finds-nothing (false)
    if (institutions.length === 0) return stepErrors(null, 'nothing_linked')
    await saveChange(call, () => ({ linked: true }))
    return noErrors
  },
}

const canRepair = (status: LinkedInstitution['status']) => status === 'repair'

/** Makes the call read the session's data again before it shows the next view. */
function refresh({ held }: Call): void {
  if (held) held.isStale = true
}

/** Runs calls to the provider after the step's transaction has committed. */
const outside = (call: Call, work: () => Promise<StepResult>): Promise<StepResult> =>
  afterCommit(call, async () => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof OutsideError) return stepErrors(null, 'link_unavailable')
      throw error
    }
  })

async function checkPage(call: Call): Promise<StepResult> {
  const save = await readPage(call.scope, call.facts.entity, linksOf(call.facts).page)
  await inTransaction(call, save)
  return noErrors
}

const replaceWith = (call: Call, institution: string | null): Promise<StepResult> =>
  outside(call, async () => {
    const { entity } = call.facts
    const save = await replacePage(call.scope, entity, linksOf(call.facts), institution)
    if (!save) return stepErrors(null, 'link_unavailable')
    await inTransaction(call, save)
    return noErrors
  })
