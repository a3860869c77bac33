import { expect, test } from 'vitest'
import { readLocale } from './frame.js'

test.each([
  ['es', 'es'],
  ['es-MX', 'es-MX'],
  ['es_MX', 'es-MX'],
  ['ES-mx', 'es-MX'],
  ['es-419', 'es-419'],
  ['es-x-private', 'es'],
  ['es_MX.UTF-8', 'es-MX'],
  ['ar_EG.UTF-8@euro', 'ar-EG'],
  ['es_ES@modern', 'es-ES'],
  [' ar ', 'ar'],
  ['ar-u-nu-arab', 'ar'],
  ['zh_Hans_CN', 'zh-Hans-CN'],
  ['es-', 'es'],
  ['es--MX', 'es'],
  ['es-MX-!', 'es'],
])('reads %j as %j', (tag, locale) => expect(readLocale(tag)).toBe(locale))

test.each(['', 'C', '-', '_', 'x-private', '123', '<b>', 'e'.repeat(100), null, undefined, 7])(
  'reads no language in %j',
  value => expect(readLocale(value)).toBeNull(),
)
