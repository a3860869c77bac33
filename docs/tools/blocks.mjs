/** The fenced blocks of a page, as a reader copies them. */
import { readFileSync } from 'node:fs'
import MarkdownIt from 'markdown-it'

/**
 * Every block of a Markdown file, in order: `{ lang, text, line, file, in, illustration }`. After the language stands
 * `file=NAME` where the reader saves it, `in=FOLDER` where they run it, or `illustration: REASON` where it is not tried.
 */
export function readBlocks(path) {
  return new MarkdownIt()
    .parse(readFileSync(path, 'utf8'), {})
    .filter(({ type }) => type === 'fence')
    .map(({ info, content, map }) => {
      const [, lang, rest = ''] = /^(\S*)\s*(.*)$/.exec(info.trim())
      return {
        rest,
        lang,
        text: content,
        line: map[0] + 1,
        file: /(?:^|\s)file=(\S+)/.exec(rest)?.[1] ?? null,
        in: /(?:^|\s)in=(\S+)/.exec(rest)?.[1] ?? null,
        illustration: /^illustration:\s*(.+)$/.exec(rest)?.[1] ?? null,
      }
    })
}
