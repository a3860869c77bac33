/** Reads the fenced code blocks of a page. */
import { readFileSync } from 'node:fs'
import MarkdownIt from 'markdown-it'

/**
 * Returns all code blocks of a Markdown file, in order: `{ lang, text, line, file, in, tab, illustration }`. The
 * language can be followed by `file=NAME` if the reader saves the block, `in=FOLDER` if they run it in a folder,
 * `tab=NAME` if it is one of several ways to send a request, or `illustration: REASON` if it is not tested.
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
