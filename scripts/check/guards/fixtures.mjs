/**
 * Test data, such as fictional people, accounts and merchants, belongs in the sandbox. In a rule or a screen, it would
 * create a special case that a real customer could encounter. Test data may appear only in sandbox folders, tests, docs
 * (and the scripts that write them) and comments.
 */
import { isSandbox, isTest } from './repository.mjs'

export const sentence = 'Fixtures stay in the sandbox'

const fixtures = [
  [/\+1[\s-]?\(?512\)?[\s-]?555\d?|\+15121231\d*|\+16505551115/, 'a sandbox phone number'],
  [/\bmch_\d+/, 'the id of a merchant'],
  [/4936494462408721|5555555555551580/, 'a sandbox account number'],
]

const exempt = /^docs\/|^scripts\/docs\/|(?:^|\/)[A-Z_]+\.md$|^scripts\/check\/guards\/fixtures\.mjs$/
const isExempt = path => isSandbox(path) || isTest(path) || exempt.test(path)
const isComment = line => /^\s*(?:\/?\*|\/\/|#)/.test(line)

export function check(files) {
  const found = []
  for (const { path, text } of files) {
    if (isExempt(path)) continue
    for (const [index, line] of text.split('\n').entries()) {
      if (isComment(line)) continue
      for (const [pattern, what] of fixtures) if (pattern.test(line)) found.push(`${path}:${index + 1} names ${what}`)
    }
  }
  return found
}
