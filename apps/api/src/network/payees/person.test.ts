import { expect, it } from 'vitest'
import { foldPerson, personFaultOf } from './person.js'

it.each([
  ' ana  DIAZ ',
  'Diaz, Ana',
  'Ána Díaz',
  'Ana Diaz 2',
  'ana.diaz',
  'ＡＮＡ Diaz',
  'Ana Dıaz',
  '\u{1d400}na Diaz',
])('%s is Ana Diaz', name => expect(foldPerson(name)).toBe(foldPerson('Ana Diaz')))

it('look-alikes of another script are the same person', () => {
  expect(foldPerson('\u0421\u0410\u0420\u0410')).toBe(foldPerson('CAPA'))
  expect(foldPerson('\u0391\u039d\u039d\u0391')).toBe(foldPerson('Anna'))
})

it('other names are other people', () => expect(foldPerson('Ana Dias')).not.toBe(foldPerson('Ana Diaz')))

it.each([
  ['Ana Diaz', undefined],
  ['山田 たろう', undefined],
  ["Ka\u02bbeo O'Neil", undefined],
  ['007', 'must contain a letter'],
  ['\u0410na', 'must not mix scripts'],
  ['Ana 山田', 'must not mix scripts'],
])('%s: %s', (name, fault) => expect(personFaultOf(name)).toBe(fault))
