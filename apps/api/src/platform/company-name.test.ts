import { expect, it } from 'vitest'
import { companyName } from './company-name.js'

it("a company's name is trimmed, and needs a letter or digit and only visible characters", () => {
  for (const [text, name] of [
    ['  Harbor & Sons, Inc. ', 'Harbor & Sons, Inc.'],
    ['\u00a0Harbor\u2028', 'Harbor'],
    ['7', '7'],
    ['شرکت نمونه\u200cها', 'شرکت نمونه\u200cها'],
    ['ශ්\u200dරී', 'ශ්\u200dරී'],
    ['𝒳'.repeat(40), '𝒳'.repeat(40)],
  ] as const)
    expect(companyName(text, 40)).toBe(name)
  const broken = ['Har\u2028bor', 'Har\u2029bor', 'Har\u00adbor', 'Har\u3164bor', 'Har\ud800bor', 'Har\ufe0fbor']
  const blank = ['', ' ', '\u00a0', '\u3164', '\u2800', '\u2028', '\u00ad', '\u200d', '&', '\ud800']
  const bidirectional = ['Acme \u202egnidneL', 'Acme\u061c', 'Acme\u200f']
  const control = ['Ac\nme', 'Ac\u0000me', 'Ac\u007fme']
  const outside = ['\u200dAcme', 'Acme\u200c', '\u200c\u200cAcme', 'Ac\u200bme', 'Ac\u2060me', 'Ac\ufeffme']
  for (const text of [...broken, ...blank, ...bidirectional, ...control, ...outside, 'x'.repeat(41)])
    expect([text, companyName(text, 40)]).toEqual([text, null])
})
