/** Runs a provider against its company's own test system, checks each request and answer, and reports each step. */
import { randomUUID } from 'node:crypto'
import type { MethodPath } from '@causeway/connector/provider/paths'
import { readSettings } from '@causeway/connector/provider/settings'
import { createMemoryHost } from '@causeway/connector/testing/memory-host'
import { SECOND_MS } from '@causeway/contract/time'
import { readDocument, recordViolations } from './document.js'
import { fetchFrom } from './emulated.js'
import { createExamples } from './examples.js'
import { type LiveRun, type LiveTools, utcDay } from './live-run.js'

export interface LiveOptions {
  env: Readonly<Record<string, string | undefined>>
  /** The values of the run's options, such as `--phone`. */
  options?: Readonly<Record<string, string | undefined>>
  /** The folder that gets redacted examples. */
  save?: string | undefined
  print(line: string): void
  prompt?(question: string): Promise<string | null>
  fetch?: typeof fetch
  now?(): number
  /** The time between two reads of something that can be a moment behind. */
  retryMs?: number
}

const TEAM = 'tem_live'
const TIMEOUT_MS = 30 * SECOND_MS
const MAX_READS = 8

/**
 * @returns the exit code: 0 if every step passed or the keys are missing, 1 if something failed, 2 for a system or a
 * setting with which nothing may run
 */
export async function runLive(
  { provider, documents, reads, options: declared, notice, steps }: LiveRun,
  {
    env,
    options: given = {},
    save,
    print,
    prompt = async () => null,
    fetch: send = fetch,
    now = Date.now,
    retryMs = 2 * SECOND_MS,
  }: LiveOptions,
): Promise<0 | 1 | 2> {
  const { values: settings, faults } = readSettings(provider.settings, env)
  if (faults) {
    const missing = faults.filter(({ variable }) => !env[variable])
    for (const { message } of faults) print(message)
    if (missing.length < faults.length) return 2
    print(
      `Skipped: ${missing.map(({ variable }) => variable).join(' and ')} must be set to run against ${provider.title}.`,
    )
    return 0
  }
  const environment = provider.environment(settings)
  // mutant: live-run-refuses-production (false)
  if (environment === 'production') {
    print(
      `Refused: these settings reach the production system of ${provider.title}. Use the key and the address of its sandbox.`,
    )
    return 2
  }
  const { values: options, faults: optionFaults } = readSettings(declared, given)
  if (optionFaults) {
    for (const { message } of [...optionFaults, { message: notice }]) print(message)
    return 2
  }
  print(notice)

  const files = documents.names.map(readDocument)
  const examples = createExamples(files)
  const { violations, answer } = recordViolations(files, request => send(request), {
    ...documents.options,
    observe: examples.observe,
  })
  const host = createMemoryHost(provider, { env, now, timeoutMs: TIMEOUT_MS, fetch: fetchFrom(answer) })
  const context = host.contextOf(TEAM)
  const run = randomUUID()
  const tools: LiveTools = {
    context,
    options,
    prompt,
    id: name => `${name}_live_${run}`,
    call: (path: MethodPath, question: unknown, request_id: string, at = now()) =>
      host.exchange(path, { request_id, team_id: TEAM, now: at, question }) as Promise<never>,
    findOutcome: (path, question, request_id) =>
      provider.outcomes[path]!.find(context, { ...question, request_id, team_id: TEAM, now: now() }) as Promise<never>,
    linkedTo: resource => [...host.links].flatMap(([externalId, { id }]) => (id === resource ? [externalId] : [])),
    async eventually(read, isExpected) {
      let value = await read()
      for (let count = 1; count < MAX_READS && !isExpected(value); count++) {
        await new Promise(resolve => setTimeout(resolve, retryMs))
        value = await read()
      }
      return value
    },
  }

  const counts = { ok: 0, failed: 0, skipped: 0 }
  const report = (result: keyof typeof counts, name: string, reason?: string) => {
    counts[result]++
    print(`${result.padEnd(7)}  ${name}${reason === undefined ? '' : `: ${reason}`}`)
  }
  for (const step of steps)
    try {
      const result = await step.run(tools)
      if (result) report('skipped', step.name, result.skipped)
      else report('ok', step.name)
    } catch (error) {
      report('failed', step.name, error instanceof Error ? error.message : 'it threw something else than an error')
    }

  const unique = [...new Set(violations)]
  const serious = unique.filter(violation => isSerious(violation, unique, reads))
  report(serious.length > 0 ? 'failed' : 'ok', 'the documents describe the requests, and the answers that are read')
  for (const violation of unique)
    print(`         ${serious.includes(violation) ? 'violated' : 'tolerated'}: ${violation}`)
  if (save !== undefined) print(`${examples.save(save)} files of redacted examples are in ${save}.`)
  const [passed, total] = [counts.ok, counts.ok + counts.failed + counts.skipped]
  print(`${passed} of ${total} passed, ${counts.failed} failed, ${counts.skipped} skipped.`)
  if (counts.failed > 0) return 1
  if (provider.hosts(settings).some(host => host.startsWith('http:')))
    print('This was an emulator on this machine, which proves nothing about the company.')
  else
    print(
      `Put this line into the declaration of ${provider.name}:\n  proven: { level: 'sandbox', on: '${utcDay(now())}' },`,
    )
  return 0
}

const answerViolation = /^(.* answer \d+): body(\S*) (.*)$/

/**
 * Returns true for a violation in a request, of a whole body, or in a member of an answer that the provider reads. The
 * member that contains a violation violates the documents, too, and only the inner one counts.
 */
function isSerious(violation: string, all: readonly string[], reads: ReadonlySet<string>): boolean {
  const [, answer, path, message] = answerViolation.exec(violation) ?? []
  if (answer === undefined || path === undefined || message === undefined) return true
  if (all.some(each => each.startsWith(`${answer}: body${path}/`))) return false
  const missing = /required property '(.*)'/.exec(message)?.[1]
  const member = missing ?? path.split('/').findLast(part => !/^\d*$/.test(part))
  return member === undefined || reads.has(member)
}
