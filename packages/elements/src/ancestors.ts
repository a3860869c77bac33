/** Returns an element and the nodes around it, as the page renders them: across slots and shadow hosts. */
export function elementAndAncestors(element: HTMLElement): HTMLElement[] {
  const nodes: HTMLElement[] = []
  let node: HTMLElement | null = element
  while (node) {
    nodes.push(node)
    node = (node.assignedSlot ?? node.parentNode ?? (node as Node as ShadowRoot).host) as HTMLElement | null
  }
  return nodes
}
