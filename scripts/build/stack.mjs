/** Runs the service and the demo lender together, for `start.mjs` and `dev.mjs`. */
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { demoKey } from './demo-key.mjs'
import { createOutputFile } from './output.mjs'
import { createProgress } from './progress.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const say = text => process.stderr.write(`${text}\n`)
const during = createProgress(say)

const ports = [
  ['PORT', 4000, process.env.HOST ?? '127.0.0.1', 'the API'],
  ['FRAME_PORT', 4100, process.env.HOST ?? '127.0.0.1', 'the frames'],
  ['OPS_PORT', 4200, process.env.OPS_HOST ?? '127.0.0.1', 'health and metrics'],
  ['DEMO_PORT', 4300, '127.0.0.1', 'the demo'],
  ['CONSOLE_PORT', 4400, process.env.HOST ?? '127.0.0.1', 'the console'],
]

/** The programs' only settings are environment variables. */
const usage = `Runs the service in the sandbox and the demo lender, until Ctrl-C. Takes no arguments.

Environment variables:
${ports.map(([name, standard, , what]) => `  ${name.padEnd(14)} the port of ${what}. Default: ${standard}`).join('\n')}
  HOST           the address of the API, the frames and the console. Default: 127.0.0.1
  DATABASE_URL   the store. Default: a file in data/
docs/operations.md lists all of them.`

/**
 * Starts both programs; the returned promise never resolves. Ctrl-C or SIGTERM stops both and exits with 0. If either
 * program ends, stops the other and exits with 1.
 * @param prepare builds the programs, if they aren't built otherwise
 * @param logFile the file for the programs' output, of which the terminal then shows only errors
 */
export async function runStack({ prepare, api, demo, open = [], logFile = null }) {
  const [argument] = process.argv.slice(2)
  if (argument !== undefined) {
    const isHelp = argument === '--help' || argument === '-h'
    say(isHelp ? usage : `Unknown argument: ${argument}\n\n${usage}`)
    process.exit(isHelp ? 0 : 2)
  }
  const taken = (await Promise.all(ports.map(takenPort))).filter(Boolean)
  if (taken.length > 0) {
    for (const line of taken) say(line)
    process.exit(1)
  }
  try {
    await prepare?.(during)
  } catch (error) {
    say(error.message)
    process.exit(1)
  }

  const print = logFile ? createOutputFile(join(root, logFile), say) : say
  const children = []
  let stopping = null
  const stop = code => {
    stopping ??= Promise.all(children.map(ended)).then(() => process.exit(code))
    for (const child of children) child.kill('SIGTERM')
    setTimeout(() => children.map(child => child.kill('SIGKILL')), 15_000).unref()
  }
  const run = (name, args, env) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    createInterface({ input: child.stderr }).on('line', print)
    child.on('exit', (code, signal) => {
      if (stopping) return
      say(`${name} exited (${signal ?? code}), so both programs are stopping.`)
      stop(1)
    })
    return child
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(0))

  const key = process.env.BOOTSTRAP_SECRET_KEY ?? demoKey(join(root, 'data'))
  for (const [name, args] of open) run(name, args, {})
  // The lender runs on this machine and receives its webhooks here.
  const OUTBOUND_LOOPBACK = process.env.OUTBOUND_LOOPBACK ?? 'allow'
  const CONSOLE_PORT = process.env.CONSOLE_PORT ?? '4400'
  const service = await during('Starting the service', () =>
    firstLine(run('The service', api, { BOOTSTRAP_SECRET_KEY: key, OUTBOUND_LOOPBACK, CONSOLE_PORT }), print),
  )
  const lenderEnv = {
    CAUSEWAY_API_ORIGIN: service.api_origin,
    CAUSEWAY_FRAME_ORIGIN: service.frame_origin,
    CAUSEWAY_SECRET_KEY: key,
    DEMO_FILE: process.env.DEMO_FILE ?? join(root, 'data/demo-applications.json'),
  }
  const [lender, link] = await during('Starting the demo lender', () =>
    Promise.all([
      firstLine(run('The demo', demo, lenderEnv), print),
      service.console_origin ? consoleLink(service, key, CONSOLE_PORT) : null,
    ]),
  )
  await welcome(service, lender, link, logFile)
}

const ADMIN = 'apps/api/dist/main/admin.js'

/**
 * Returns a one-time link that signs the operator in to the console, or only the console's URL if no link can be
 * created.
 */
async function consoleLink({ api_origin, console_origin }, key, CONSOLE_PORT) {
  if (!existsSync(join(root, ADMIN))) return console_origin
  const team = await fetch(`${api_origin}/team`, { headers: { Authorization: `Bearer ${key}` } }).then(
    answer => answer.json(),
    () => ({}),
  )
  if (typeof team.id !== 'string') return console_origin
  const env = { ...process.env, CONSOLE_PORT }
  return new Promise(resolve =>
    execFile(process.execPath, [ADMIN, 'console', 'link', team.id], { cwd: root, env }, (error, out) =>
      resolve(error ? console_origin : JSON.parse(out).link),
    ),
  )
}

/** Reads the first line of a child process's output as JSON and prints all later lines. */
function firstLine(child, print) {
  return new Promise(resolve => {
    let read = false
    createInterface({ input: child.stdout }).on('line', line => {
      if (read) return print(line)
      read = true
      resolve(JSON.parse(line))
    })
  })
}

const ended = child =>
  new Promise(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', resolve)
  })

/** Returns an error message if another process uses a port, or null otherwise. */
function takenPort([variable, standard, host, what]) {
  const port = Number(process.env[variable] ?? standard)
  return new Promise(resolve => {
    const probe = createServer()
    probe.once('error', error =>
      resolve(
        error.code === 'EADDRINUSE'
          ? `Port ${port}, for ${what}, is in use. Choose another: ${variable}=${port + 10} pnpm start`
          : null,
      ),
    )
    probe.listen(port, host, () => probe.close(() => resolve(null)))
  })
}

async function welcome(service, lender, link, logFile) {
  const { people, codes } = await import(new URL('../../apps/demo/dist/sandbox/inputs.js', import.meta.url))
  const [first] = people
  process.stdout.write(`
  Northwind Lending, the demo   ${lender.origin}
  its back office               ${lender.origin}/operations
  the API                       ${service.api_origin}${process.env.BOOTSTRAP_SECRET_KEY ? '' : '   (key in data/demo.key)'}
  the frames and the kit        ${service.frame_origin}
  the console                   ${link ?? 'not served'}${link?.includes('#') ? '   (works once, within 10 minutes)' : ''}

  Try: apply as ${first.first_name} ${first.last_name}, phone ${first.phone}.
       Any six digits are accepted as the code, such as ${codes.right}; ${codes.wrong} is incorrect and ${codes.expired} has expired.
       Then release the loan in the back office and advance the clock by a few days.
${logFile ? `  The log is in ${logFile}. Only errors are shown here.\n` : ''}  Ctrl-C ends both.

`)
}
