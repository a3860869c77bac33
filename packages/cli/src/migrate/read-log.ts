/** Reads recorded requests: HAR files, lines of JSON and curl commands. Nothing of a request is printed or stored. */
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Failure } from '../io.js'
import { requestOfCurl } from './curl.js'
import { isObject, parse, type RecordedRequest, recordOf } from './recorded-request.js'

const MAX_FILE_BYTES = 64 * 1024 * 1024
const MAX_LINE_LENGTH = 2 * 1024 * 1024
const MAX_FILES = 10_000
const MAX_DEPTH = 8

function* readHar(text: string, name: string): Generator<RecordedRequest> {
  const har = parse(text)
  const log = isObject(har) ? har['log'] : undefined
  const entries = isObject(log) ? log['entries'] : undefined
  if (!Array.isArray(entries)) throw new Failure(`${name} is not a HAR file: it must be JSON with log.entries.`)
  for (const entry of entries) {
    const request = isObject(entry) ? entry['request'] : undefined
    if (!isObject(request)) continue
    const { method, url, headers, postData } = request
    const record = recordOf(method, url, headers, isObject(postData) ? postData['text'] : undefined)
    if (record) yield record
  }
}

/** Reads a line such as `{ "method": "POST", "path": "/entities", "headers": {}, "body": {} }`. */
function readLine(line: string, name: string, number: number): RecordedRequest | null {
  if (line.trim() === '') return null
  const value = line.length > MAX_LINE_LENGTH ? undefined : parse(line)
  const record = isObject(value)
    ? recordOf(value['method'], value['path'] ?? value['url'], value['headers'], value['body'])
    : null
  if (!record)
    throw new Failure(
      `${name}, line ${number}: must be JSON with method and path (or url), of at most ${MAX_LINE_LENGTH} characters.`,
    )
  return record
}

/** Yields the lines of a file. Reads no more of a line that is too long than shows that it is. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    yield* lines
    if (rest.length > MAX_LINE_LENGTH) break
  }
  yield rest
}

async function* readLines(path: string): AsyncGenerator<RecordedRequest> {
  let number = 0
  for await (const line of linesOf(path)) {
    number += 1
    const record = readLine(line, path, number)
    if (record) yield record
  }
}

async function readText(path: string): Promise<string> {
  const { size } = await stat(path)
  if (size > MAX_FILE_BYTES)
    throw new Failure(
      `${path} is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB. Split it, or convert it to lines of JSON, which have no limit.`,
    )
  return readFile(path, 'utf8')
}

const extensions = ['.har', '.ndjson', '.jsonl', '.json', '.curl', '.sh', '.txt'] as const
const isLog = (path: string) => (extensions as readonly string[]).includes(extname(path))

async function* readFileOf(path: string): AsyncGenerator<RecordedRequest> {
  const kind = extname(path)
  if (kind === '.ndjson' || kind === '.jsonl') yield* readLines(path)
  else if (kind === '.har') yield* readHar(await readText(path), path)
  else if (kind === '.json') {
    const text = await readText(path)
    const value = parse(text)
    if (isObject(value) && 'log' in value) yield* readHar(text, path)
    else {
      const record = readLine(text.replaceAll('\n', ' '), path, 1)
      if (record) yield record
    }
  } else
    for (const command of (await readText(path)).replaceAll('\\\n', ' ').split('\n')) {
      const record = requestOfCurl(command)
      if (record) yield record
    }
}

/** Lists the files of a folder and its subfolders. */
async function filesOf(folder: string, depth = 0): Promise<string[]> {
  if (depth > MAX_DEPTH) return []
  const found: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) found.push(...(await filesOf(path, depth + 1)))
    else if (entry.isFile() && isLog(path)) found.push(path)
    if (found.length > MAX_FILES) throw new Failure(`${folder} has more than ${MAX_FILES} files.`)
  }
  return found.sort()
}

/** Reads every request in a file, or in all files of a folder. Throws {@link Failure}. */
export async function* readLog(path: string): AsyncGenerator<RecordedRequest> {
  const info = await stat(path).catch(() => null)
  if (!info) throw new Failure(`${path} does not exist.`)
  if (info.isDirectory()) {
    const files = await filesOf(path)
    if (files.length === 0) throw new Failure(`${path} has no files that end in ${extensions.join(', ')}.`)
    for (const file of files) yield* readFileOf(file)
  } else if (isLog(path)) yield* readFileOf(path)
  else throw new Failure(`${path} must end in ${extensions.join(', ')}, or be a folder of such files.`)
}
