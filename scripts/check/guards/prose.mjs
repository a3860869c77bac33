/**
 * Readers are engineers, operators and borrowers in the United States. A phrase that sounds like a translation makes a
 * reader stumble. `phrases.mjs` lists such phrases with plain alternatives.
 */
import { exceptions, phrases } from './phrases.mjs'
import { isTest } from './repository.mjs'
import { sentencesOf } from './sentences.mjs'

export const sentence = 'Prose avoids the phrases in scripts/check/guards/phrases.mjs'
/** A phrase is a matter of taste, so it does not fail a contribution. */
export const warns = true

const rules = phrases.map(({ pattern, ...rule }) => {
  const source = pattern.source.replaceAll(' ', '\\s+')
  return { ...rule, source, pattern: new RegExp(source, 'gi') }
})
/**
 * Matches a sentence that contains any of the phrases. Because nearly all sentences contain none of them, most
 * sentences are scanned only once.
 */
const any = new RegExp(rules.map(({ source }) => source.replaceAll('\\1', '\\w+')).join('|'), 'i')

/** Excludes generated files and the phrase table itself. */
const unread = /\.gen\.|^docs\/.*\.json$|custom-elements\.json$|^scripts\/check\/guards\/(?:phrases|prose\.test)\.mjs$/

/** Excludes strings in tests, which are data, and strings of two words or fewer. */
const isProse = (path, { kind, text }) => kind !== 'text' || (!isTest(path) && /\S\s+\S+\s+\S/.test(text))

export function check(files, { except = exceptions } = {}) {
  const found = []
  const used = new Set()
  for (const file of files) {
    const { path, text } = file
    if (unread.test(path)) continue
    for (const each of sentencesOf(file)) {
      const at = each.text.search(/\S/)
      const words = each.text.slice(Math.max(at, 0))
      if (!isProse(path, each) || !any.test(words)) continue
      for (const { kinds, pattern, instead } of rules) {
        if (kinds && !kinds.includes(each.kind)) continue
        for (const match of words.matchAll(pattern)) {
          const phrase = match[0].replace(/\s+/g, ' ').trim()
          const excepted = except.find(one => one.path === path && one.words === phrase)
          if (excepted) used.add(excepted)
          else {
            const line = text.slice(0, each.start + at + match.index).split('\n').length
            found.push(`${path}:${line} "${phrase}" (${each.kind}): write ${instead}`)
          }
        }
      }
    }
  }
  for (const one of except)
    if (!used.has(one) && files.some(({ path }) => path === one.path))
      found.push(`scripts/check/guards/phrases.mjs: ${one.path} no longer has "${one.words}": remove the exception`)
  return found
}
