/** The fenced blocks of a page, as a reader copies them. */
import { readFileSync } from 'node:fs'
import MarkdownIt from 'markdown-it'

/**
 * Every block of a Markdown file, in order: `{ lang, text, line, file, in, tab, illustration }`. After the language follows
 * `file=NAME` if the reader saves it, `in=FOLDER` if they run it there, `tab=NAME` if it is one of several ways to send a
 * request, or `illustration: REASON` if it is not tried.
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
        tab: /(?:^|\s)tab=(\S+)/.exec(rest)?.[1] ?? null,
        in: /(?:^|\s)in=(\S+)/.exec(rest)?.[1] ?? null,
        illustration: /^illustration:\s*(.+)$/.exec(rest)?.[1] ?? null,
      }
    })
}
