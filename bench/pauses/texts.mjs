/** Texts that cost much more than their length if they are read carelessly. */

/** @returns texts of at most `length` bytes, by name */
export const hostileTexts = length => {
  const fill = (unit, before = '', after = '') =>
    before + unit.repeat(Math.floor((length - before.length - after.length) / Buffer.byteLength(unit))) + after
  return {
    letters: fill('a'),
    digits: fill('1'),
    'spaces and a letter': fill(' ', '', 'x'),
    'an email with many dots': fill('.', 'a@', ' '),
    'an email with many labels': fill('a.', 'a@'),
    'many @': fill('@'),
    'grouped digits': fill('1 -', '', 'x'),
    'a long fraction': fill('0', '2026-03-02T15:00:00.'),
    'a URL with many labels': fill('a.', 'https://'),
    'marks on one letter': fill('\u0301', 'a'),
    'bidirectional marks': fill('\u202e'),
    'open templates': fill('{{'),
    'escaped quotes': fill('\\"'),
    'open tags': fill('<a '),
    'escapes of a URL': fill('%41'),
  }
}

/** Header values of at most `length` bytes, by name. */
export const hostileValues = length => {
  const fill = (unit, before = '', after = '') =>
    before + unit.repeat(Math.floor((length - before.length - after.length) / unit.length)) + after
  return {
    letters: fill('a'),
    'spaces and a letter': fill(' ', 'x', 'x'),
    commas: fill(', ', 'a'),
    'quoted parts': fill('"a", '),
    'open quotes': fill('"'),
    semicolons: fill('; ', 'a'),
    weights: fill(';q=0.', 'gzip', 'x'),
    'weighted parts': fill('gzip ;q=0.0,', '', 'x'),
    pairs: fill('a=b; '),
    'equals signs': fill('='),
    dots: fill('.', 'a'),
    backslashes: fill('\\'),
    'long parts': fill('a'.repeat(99) + ',', ''),
    'high bytes': fill('\xc3\xa9'),
    'invalid bytes': fill('\xff'),
    'a type with spaces': fill(' ', 'application/json', 'x'),
    'a type with parameters': fill(';a=b', 'application/json'),
    addresses: fill('10.0.0.1, '),
    'IPv6 zones': fill('%', 'fe80::1'),
  }
}

const deep = (open, close, levels) => open.repeat(levels) + close.repeat(levels)

/** JSON texts of about `length` bytes, by name. */
export const hostileJson = length => {
  const list = (item, size) => `[${Array.from({ length: Math.floor(length / size) }, (_, at) => item(at)).join(',')}]`
  const members = item => `{${Array.from({ length: Math.floor(length / 12) }, (_, at) => item(at)).join(',')}}`
  return {
    'deep lists': `{"a":${deep('[', ']', length / 2)}}`,
    'deep objects': deep('{"a":', '1}', length / 7).replace('{"a":1', '{"a":{"a":1}'),
    'deep objects, unclosed': '{"a":'.repeat(length / 5),
    'many members': members(at => `"m${at}":1`),
    'equal members': members(() => '"same":1'),
    'escaped members': members(at => `"\\u006d${at}":1`),
    'many lists': `{"a":${list(() => '[]', 3)}}`,
    'many numbers': `{"a":${list(() => '0.12345678901234567', 20)}}`,
    'a long number': `{"a":${'1'.repeat(length)}}`,
    'a long fraction': `{"a":0.${'1'.repeat(length)}}`,
    'a large exponent': `{"a":1e${'9'.repeat(length)}}`,
    'a long name': `{"${'n'.repeat(length)}":1}`,
    'a long text': `{"a":"${'x'.repeat(length)}"}`,
    'escaped text': `{"a":"${'\\u0061'.repeat(length / 6)}"}`,
    backslashes: `{"a":"${'\\\\'.repeat(length / 2)}"}`,
    'an unclosed text': `{"a":"${'\\"'.repeat(length / 2)}`,
    spaces: `{"a":1${' '.repeat(length)}}`,
    'not JSON': '"'.repeat(length),
    __proto__: `{"__proto__":${deep('{"__proto__":', '1}', 8).replace('{"__proto__":1', '{"__proto__":{"a":1}')}}`,
  }
}
