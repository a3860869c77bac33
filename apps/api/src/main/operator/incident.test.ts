/**
 * Runs every command in the incident runbook, section by section, with a separate temporary store for each section.
 * Operators follow the runbook under pressure, so its commands must work.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createVault } from '../../platform/crypto/vault.js'
import { openStore } from '../../platform/db/store.js'
import { checkStore, createFirstTeam } from '../boot.js'
import { type Config, readConfig } from '../config.js'
import { operate } from './operator.js'

const page = readFileSync(new URL('../../../../../docs/security/incident.md', import.meta.url), 'utf8')
const NOW = Date.parse('2026-03-02T15:00:00.000Z')
const names = ['TEAM', 'KEY', 'SINCE', 'SESSION', 'EMAIL', 'USER', 'COPY', 'OLD']

/** Returns a section's commands in order. Code blocks may be indented, as in a list. */
function commandsOf(section: string): string[] {
  return [...section.matchAll(/^( *)```sh\n([\s\S]*?)^\1```/gm)].flatMap(([, , block = '']) =>
    block
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== ''),
  )
}
const sections = page
  .split(/^## /m)
  .slice(1)
  .map(section => [section.slice(0, section.indexOf('\n')), commandsOf(section)] as const)
const runbooks = sections.filter(([, commands]) => commands.length > 0)

let folder: string
let config: Config
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-incident-'))
  config = readConfig({ DATABASE_URL: 'file:store.db', CONSOLE_PORT: '4400' }, folder)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]) => operate(config, args, NOW) as Promise<Record<string, unknown>>

/** Creates the service's key and returns its id. Creating a key is slow, and most incidents don't require one. */
async function serviceKey(): Promise<string> {
  const { active } = (await run('encryption', 'rotate')) as { active: { id: string } }
  return active.id
}

/** Creates a store with a team and its key, and returns values for the variables in the runbook. */
async function prepare(commands: readonly string[]): Promise<Record<string, string>> {
  const store = await openStore(config.databaseUrl)
  const vault = createVault(config.masterKey)
  await checkStore(store, vault, config.environment)
  await createFirstTeam(store, vault, null, NOW, () => {})
  await store.close()
  const team = await run('team', 'create', 'Harbor Credit')
  const user = 'ines@example.com'
  return {
    TEAM: team['id'] as string,
    KEY: (team['key'] as { id: string }).id,
    SINCE: '2026-03-02T00:00:00Z',
    SESSION: (await run('console', 'link', team['id'] as string))['session_id'] as string,
    EMAIL: user,
    USER: (await run('console', 'invite', user, '--team', team['id'] as string, '--role', 'viewer'))[
      'user_id'
    ] as string,
    COPY: join(folder, 'copy.db'),
    ...(commands.some(command => command.includes('$OLD')) && { OLD: await serviceKey() }),
  }
}

describe('the incident runbook', () => {
  it('has commands for each kind of incident, and every code block belongs to one', () => {
    expect(runbooks.map(([title]) => title)).toEqual([
      'A secret key leaked',
      'ENCRYPTION_KEY leaked',
      'A console session was stolen',
      "An operator's laptop was stolen",
      'Suspicious payments',
    ])
    const commands = runbooks.flatMap(([, list]) => list)
    expect(page.match(/pnpm admin [a-z]+ [a-z]+ ?\S*\n/g)!.length).toBeLessThanOrEqual(commands.length)
    expect(page.match(/```/g)).toHaveLength(2 * page.match(/```sh\n/g)!.length)
  })

  it('explains every variable that its commands use', () => {
    const used = new Set(runbooks.flatMap(([, list]) => list.join(' ').match(/\$\w+/g) ?? []))
    expect([...used].sort()).toEqual(names.map(name => `$${name}`).sort())
    for (const name of names) expect(page).toContain(`| \`${name}\` |`)
  })

  it.each(runbooks)('runs each command of "%s"', { timeout: 60_000 }, async (_title, commands) => {
    const values = await prepare(commands)
    let stopped: unknown = null
    for (const command of commands) {
      expect(command).toMatch(/^pnpm admin /)
      const args = command
        .split(' ')
        .slice(2)
        .map(word => (word.startsWith('$') ? values[word.slice(1)]! : word))
      const answer = await run(...args)
      if (args[0] === 'ledger') expect(answer).toMatchObject({ ok: true })
      if (args[0] === 'payments') stopped = answer['stopped_at']
    }
    // Each runbook section begins by stopping payments, after ending console sessions, and ends with payments running.
    const first = commands.find(command => !command.startsWith('pnpm admin console '))
    expect(first).toMatch(/^pnpm admin payments stop /)
    expect(stopped).toBeNull()
    const { entries } = (await run('audit', 'list', values['TEAM']!, values['SINCE']!)) as { entries: object[] }
    const revokes = commands.some(command => command.includes('key revoke'))
    expect(JSON.stringify(entries).includes('key.revoke')).toBe(revokes)
  })
})
