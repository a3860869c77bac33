import { type RecordedRequest, recordOf } from './recorded-request.js'

const MAX_COMMAND_LENGTH = 2 * 1024 * 1024

/** Matches a part of a word: single-quoted, double-quoted, escaped or plain text. The alternatives never overlap. */
const PART = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)|(\s+)/gy

/** Splits a command into words, as a shell does for quotes and backslashes. Text after an unclosed quote is ignored. */
export function wordsOf(command: string): string[] {
  const words: string[] = []
  let word: string | null = null
  for (const [, single, double, escaped, plain, space] of command.matchAll(PART)) {
    if (space === undefined) word = (word ?? '') + (single ?? double?.replace(/\\([\s\S])/g, '$1') ?? escaped ?? plain)
    else if (word !== null) {
      words.push(word)
      word = null
    }
  }
  return word === null ? words : [...words, word]
}

/** The options of curl that have a value, by what the value is. Other options have none. */
const options = {
  method: ['-X', '--request'],
  header: ['-H', '--header'],
  data: ['-d', '--data', '--data-raw', '--data-binary', '--data-ascii', '--json'],
  address: ['--url'],
  other:
    '-o -u -A -e -b -c -m -w -x --output --user --user-agent --referer --cookie --cookie-jar --max-time --write-out --proxy --cacert --cert --key --connect-timeout --retry'.split(
      ' ',
    ),
}
const optionOf = (word: string) =>
  (Object.keys(options) as (keyof typeof options)[]).find(name => options[name].includes(word))

/** Returns the request that a curl command sends, or null if the line is not a curl command. */
export function requestOfCurl(command: string): RecordedRequest | null {
  if (command.length > MAX_COMMAND_LENGTH) return null
  const words = wordsOf(command.replace(/^\s*\$\s/, ''))
  if (words[0] !== 'curl') return null
  let method: string | undefined
  let address: string | undefined
  let data: string | undefined
  const headers: Record<string, string> = {}
  const rest = words.slice(1).values()
  for (const word of rest) {
    if (!word.startsWith('-')) {
      address ??= word
      continue
    }
    const option = optionOf(word)
    if (option === undefined) continue
    const value = rest.next().value ?? ''
    const colon = value.indexOf(':')
    if (option === 'method') method = value
    else if (option === 'data') data = value
    else if (option === 'address') address = value
    else if (option === 'header' && colon > 0) headers[value.slice(0, colon)] = value.slice(colon + 1).trim()
  }
  return recordOf(method ?? (data === undefined ? 'GET' : 'POST'), address, headers, data)
}
