import { expect, it } from 'vitest'
import { nameFaultOf } from './name.js'

it.each([
  'Ana',
  'José',
  'Jose\u0301',
  '李',
  'Ng',
  'O',
  "O'Brien",
  'Anne-Marie',
  'de la Cruz',
  'X Æ A-12',
  '葛\u{e0100}飾',
  'می\u200cخواهم',
  'क्\u200dष',
  'Ann ❤\ufe0f\u200d🔥',
  '3M',
  'a'.repeat(100),
  '🌸'.repeat(99) + 'a',
])('accepts the name %s', name => {
  expect(nameFaultOf(name)).toBeUndefined()
})

it.each([
  ['', 'empty'],
  ['a'.repeat(101), 'too_long'],
  [`${'🌸'.repeat(100)}a`, 'too_long'],
  ['a'.repeat(1_000_000), 'too_long'],
  ['-', 'no_letter'],
  ['🌸', 'no_letter'],
  ['\u2800', 'no_letter'],
  ['\u0301', 'no_letter'],
  ['\u200b', 'hidden'],
  ['\u3164', 'hidden'],
  ['\uffa0', 'hidden'],
  ['\ufe0f', 'hidden'],
  ['\u{e0041}\u{e007f}', 'hidden'],
  ['An\u200ba', 'hidden'],
  ['Ana\u202e', 'hidden'],
  ['\u2066Ana\u2069', 'hidden'],
  ['\u061cAna', 'hidden'],
  ['Ana\u200e', 'hidden'],
  ['An\u00ada', 'hidden'],
  ['Ana\n', 'hidden'],
  ['A\tna', 'hidden'],
  ['A\u0085na', 'hidden'],
  ['A\u2028na', 'hidden'],
  ['A\u0000na', 'hidden'],
  ['Ana\ud83d', 'hidden'],
  ['Ana\ufffd', 'hidden'],
  ['Ana\uffff', 'hidden'],
  ['\u200dAna', 'hidden'],
  ['Ana\u200c', 'hidden'],
  ['A\u200d\u200dna', 'hidden'],
  ['A\ufe0f\ufe0f\ufe0fna', 'hidden'],
])('rejects the name %j: %s', (name, fault) => {
  expect(nameFaultOf(name)).toBe(fault)
})
