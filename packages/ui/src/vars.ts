/**
 * Sets custom properties on an element through the CSSOM. On the first render, Lit's `styleMap` writes a style
 * attribute, which the content security policy blocks.
 */
import { noChange } from 'lit'
import { Directive, directive, type ElementPart, type PartInfo, PartType } from 'lit/directive.js'

class Vars extends Directive {
  constructor(part: PartInfo) {
    super(part)
    if (part.type !== PartType.ELEMENT) throw new Error('vars() must be used on an element')
  }
  override update(part: ElementPart, [values]: [Record<string, string>]): typeof noChange {
    const { style } = part.element as HTMLElement
    for (const [name, value] of Object.entries(values)) style.setProperty(name, value)
    return noChange
  }
  override render(_values: Record<string, string>): typeof noChange {
    return noChange
  }
}

/** @example html`<i ${vars({ '--share': '40%' })}></i>` */
export const vars = directive(Vars)
