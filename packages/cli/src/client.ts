import { readFileSync } from 'node:fs'
import { Causeway } from '@causeway/sdk'
import { type Io, UsageError } from './io.js'

/** The options that every command accepts. */
export const connectionOptions = {
  url: { type: 'string' },
  'key-file': { type: 'string' },
  'allow-http': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

export const connectionHelp = `  --url <origin>       The URL of the service. Default: CAUSEWAY_URL, then http://127.0.0.1:4000.
  --key-file <path>    A file with the secret key. Default: CAUSEWAY_KEY. There is no option for the key itself,
                       because other processes on the machine can read the command line.
  --allow-http         Accept an http:// URL of another machine, on a private network that encrypts connections.
  -h, --help           Show this text.`

interface ConnectionOptions {
  url?: string | undefined
  'key-file'?: string | undefined
  'allow-http'?: boolean | undefined
}

/** Returns a client for the service and team that the options specify, with defaults from the environment. */
export function connect(given: ConnectionOptions, { env }: Io): Causeway {
  const baseUrl = given.url ?? env['CAUSEWAY_URL'] ?? 'http://127.0.0.1:4000'
  if (!URL.canParse(baseUrl)) throw new UsageError(`--url must be a URL such as http://127.0.0.1:4000, not ${baseUrl}.`)
  const apiKey = given['key-file'] === undefined ? env['CAUSEWAY_KEY'] : readKey(given['key-file'])
  if (!apiKey)
    throw new UsageError(
      'A secret key is required. Set CAUSEWAY_KEY, or pass a file with --key-file, such as data/bootstrap.key.',
    )
  try {
    return new Causeway({ apiKey, baseUrl, allowInsecureHttp: given['allow-http'] ?? false })
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error
  }
}

function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    throw new UsageError(`--key-file must be a readable file, not ${path}.`)
  }
}
