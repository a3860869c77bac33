import { readFileSync } from 'node:fs'
import { Causeway } from '@causeway/sdk'
import { type Io, UsageError } from './io.js'

/** What every command takes. */
export const common = {
  url: { type: 'string' },
  'key-file': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

export const commonHelp = `  --url <origin>       The service; CAUSEWAY_URL, or http://127.0.0.1:4000, unless told.
  --key-file <path>    A file that holds the secret key; CAUSEWAY_KEY unless told. There is no option for the key itself:
                       every process of a machine can read the command lines of the others.
  -h, --help           This text.`

interface Given {
  url?: string | undefined
  'key-file'?: string | undefined
}

/** A client for the service and team that the options name, else the environment. */
export function connect(given: Given, { env }: Io): Causeway {
  const baseUrl = given.url ?? env['CAUSEWAY_URL'] ?? 'http://127.0.0.1:4000'
  if (!URL.canParse(baseUrl)) throw new UsageError(`${baseUrl} is no address, such as http://127.0.0.1:4000.`)
  const apiKey = given['key-file'] === undefined ? env['CAUSEWAY_KEY'] : readKey(given['key-file'])
  if (!apiKey)
    throw new UsageError(
      'A secret key is needed: set CAUSEWAY_KEY, or give --key-file, such as data/bootstrap.key after a first start.',
    )
  return new Causeway({ apiKey, baseUrl })
}

function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    throw new UsageError(`${path} cannot be read.`)
  }
}
