/**
 * A path or package registry that is specific to one machine works only there and reveals details about the machine.
 * Use the operating system's folder for temporary files, and the registry that the reader has configured.
 */
export const sentence = 'No file refers to one specific machine'

const patterns = [
  [/(?<![\w.*$}/-])\/(?:work|tmp|root)\/\w/, 'a path on one machine'],
  [/(?<![\w.*$}/-])\/home\/(?!runner\b)\w+\//, 'a path on one machine'],
  [
    /\bregistry\s*=\s*https?:|-{2}registry\b|\bregistry\.(?:npmjs|yarnpkg)\b|\btarball:\s*https?:/,
    'a package registry',
  ],
]

export function check(files) {
  const found = []
  for (const { path, text } of files) {
    for (const [index, line] of text.split('\n').entries())
      for (const [pattern, what] of patterns) if (pattern.test(line)) found.push(`${path}:${index + 1} names ${what}`)
  }
  return found
}
