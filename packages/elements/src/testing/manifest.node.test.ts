import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FlowElement } from '../element.js'

interface Named {
  name: string
  kind?: string
  static?: boolean
  attribute?: string
  description?: string
  type?: { text: string }
}

type Declaration = Named & { tagName?: string } & Record<
    'members' | 'attributes' | 'events' | 'slots' | 'cssParts' | 'cssProperties',
    Named[]
  >

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const { modules } = JSON.parse(read('../../custom-elements.json')) as {
  modules: { path: string; declarations: Declaration[]; exports: Named[] }[]
}
const elements = modules.flatMap(({ declarations }) => declarations).filter(({ tagName }) => tagName)
const names = (list: Named[] | undefined): string[] => (list ?? []).map(({ name }) => name).sort()
const found = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map(m => m[1]!))].sort()

describe('the custom-elements manifest', () => {
  it('is at the path in package.json, and lists both tags and the module that registers them', () => {
    expect(JSON.parse(read('../../package.json'))).toMatchObject({ customElements: 'custom-elements.json' })
    const tags = ['connect-element', 'opal-balance-transfer-element']
    expect(elements.map(({ tagName }) => tagName)).toEqual(tags)
    expect(names(modules.find(({ path }) => path === 'dist/define.js')!.exports)).toEqual(tags)
  })

  for (const element of elements)
    describe(`of ${element.tagName}`, () => {
      const fields = element.members.filter(({ kind, static: own }) => kind === 'field' && !own)
      const methods = element.members.filter(({ kind }) => kind === 'method')

      it('lists every property with its type and attribute', () => {
        const properties = Object.entries(FlowElement.properties as Record<string, { attribute?: string | false }>)
        expect(names(fields)).toEqual(properties.map(([name]) => name).sort())
        expect(fields.filter(({ type, description }) => !type?.text || !description)).toEqual([])
        const attributes = properties.filter(([, { attribute }]) => attribute !== false)
        expect(names(element.attributes)).toEqual(attributes.map(([name, { attribute }]) => attribute || name).sort())
        for (const secret of ['token', 'getToken', 'theme']) expect(names(element.attributes)).not.toContain(secret)
      })

      it('lists the public methods', () => {
        expect(names(methods.filter(method => !method.static))).toEqual(['close', 'open', 'prepare'])
        expect(names(methods.filter(method => method.static))).toEqual(['preload'])
      })

      it('lists every event with its class', () => {
        const map = found(read('../events.ts'), /^ {4}'([a-z-]+)': \w+Event$/gm)
        expect(map).toHaveLength(8)
        expect(names(element.events)).toEqual(map)
        const classes = modules.flatMap(({ declarations }) => names(declarations))
        for (const { type, description } of element.events) {
          expect(classes).toContain(type?.text)
          expect(description).toBeTruthy()
        }
      })

      it('lists every slot, part and CSS custom property', () => {
        const drawn = read('../view.ts') + read('../channel.ts')
        expect(names(element.slots)).toEqual(found(drawn, /'slot', \{ name: '(\w+)'/g))
        expect(names(element.cssParts)).toEqual(found(drawn, /part: '(\w+)'/g))
        expect(names(element.cssProperties)).toEqual(found(read('../styles.ts'), /var\((--causeway-\w+)/g))
        expect(names(element.slots)).toEqual(['error', 'loading'])
        expect(element.cssParts.length).toBeGreaterThan(5)
        expect(element.cssProperties.length).toBeGreaterThan(5)
      })

      it('contains nothing that the README omits', () => {
        const text = read('../../README.md')
        const all = [
          ...fields,
          ...methods,
          ...element.events,
          ...element.slots,
          ...element.cssParts,
          ...element.cssProperties,
        ]
        expect(names(all).filter(name => !new RegExp(`(?:\`|part\\()${name}[\`(?)]`).test(text))).toEqual([])
      })
    })
})
