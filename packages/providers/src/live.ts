/**
 * Runs a provider against its company's own test system, with the keys from the environment:
 *   node packages/providers/dist/live.js increase [--save FOLDER]
 * Skips without keys, and refuses a production system. `--save` writes the requests and answers, without their values.
 */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { increaseLive } from './increase/live.js'
import { plaidLive } from './plaid/live.js'
import { runLive } from './testing/live.js'
import type { LiveRun } from './testing/live-run.js'
import { twilioLive } from './twilio/live.js'

const runs = new Map([increaseLive, plaidLive, twilioLive].map(run => [run.provider.name, run]))
const ownOptions = [...runs.values()].flatMap(({ options }) => Object.keys(options))
const flagOf = (option: string) => option.replace(/^--/, '')

/** Reads the variables that name a file, such as `INCREASE_API_KEY_FILE`. */
function readEnvironment({ provider }: LiveRun): Record<string, string | undefined> {
  const names = Object.keys(provider.settings).filter(name => process.env[`${name}_FILE`] && !process.env[name])
  return {
    ...process.env,
    ...Object.fromEntries(names.map(name => [name, readFileSync(process.env[`${name}_FILE`]!, 'utf8').trim()])),
  }
}

async function prompt(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    save: { type: 'string' },
    ...Object.fromEntries(ownOptions.map(option => [flagOf(option), { type: 'string' as const }])),
  },
})
const run = runs.get(positionals[0] ?? '')
if (!run || positionals.length > 1) {
  process.stderr.write(
    `usage: pnpm providers:live ${[...runs.keys()].join('|')} ${ownOptions.map(option => `[${option} …] `).join('')}[--save FOLDER]\n`,
  )
  process.exit(2)
}
const flags = values as Record<string, string | undefined>
process.exitCode = await runLive(run, {
  env: readEnvironment(run),
  options: Object.fromEntries(Object.keys(run.options).map(option => [option, flags[flagOf(option)]])),
  save: values.save as string | undefined,
  print: line => process.stdout.write(`${line}\n`),
  prompt,
})
