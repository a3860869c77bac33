import { parseArgs } from 'node:util'
import { Failure, type Io, UsageError } from '../io.js'
import { createCheck, type Finding, type Report } from './check-requests.js'
import { readLog } from './read-log.js'

const help = `causeway migrate check <file or folder> [options]

Reads requests that you recorded against another service with this API, and lists what will differ here. Sends nothing,
and prints neither ids nor bodies nor keys. It reads:

  *.har                     A log that a browser or a proxy recorded.
  *.ndjson, *.jsonl         One request per line: {"method", "path" or "url", "headers", "body"}.
  *.json                    Either of these.
  *.curl, *.sh, *.txt       Lines with curl commands.

A folder is read with its subfolders. The exit code is 1 if the service will reject any of the requests.

  --host <name>        Only requests to this host, such as production.example.com.
  --json               Print the list as JSON.`

export async function run(args: readonly string[], io: Io): Promise<void> {
  const options = {
    host: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const
  const { values, positionals } = parseArgs({ args: [...args], options, strict: true, allowPositionals: true })
  if (values.help) return io.out(help)
  const [subcommand, path, ...others] = positionals
  if (subcommand !== 'check' || path === undefined || others.length > 0)
    throw new UsageError('A file or a folder is required: causeway migrate check <file or folder>.')
  const check = createCheck()
  for await (const request of readLog(path)) {
    io.signal.throwIfAborted()
    if (values.host === undefined || request.host === values.host) check.add(request)
  }
  const report = check.report()
  if (report.requests === 0)
    throw new Failure(
      values.host === undefined ? `${path} has no requests.` : `${path} has no requests to ${values.host}.`,
    )
  if (values.json) io.out(JSON.stringify(report))
  else for (const line of linesOf(report)) io.out(line)
  const rejected = report.findings.filter(finding => finding.rejected).length
  if (rejected > 0) throw new Failure(`${rejected} of the differences will make requests fail.`)
}

const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

function* linesOf({ requests, endpoints, findings }: Report): Generator<string> {
  yield `Read ${countOf(requests, 'request')} to ${countOf(endpoints, 'endpoint')}.`
  yield* section(
    'The service will reject these requests',
    findings.filter(({ rejected }) => rejected),
  )
  yield* section(
    'These requests work, but differ',
    findings.filter(({ rejected }) => !rejected),
  )
  if (findings.length === 0) yield 'No difference affects them.'
  yield ''
  yield 'Bodies are compared with the fields, types and options of each endpoint. Responses, webhooks and values such as phone'
  yield 'numbers are not compared. Run your tests in the sandbox too.'
}

function* section(title: string, findings: readonly Finding[]): Generator<string> {
  if (findings.length === 0) return
  yield ''
  yield `${title}:`
  for (const { endpoint, requests, says } of findings) {
    yield `  ${endpoint} (${countOf(requests, 'request')})`
    yield `    ${says.replaceAll('`', '')}`
  }
}
