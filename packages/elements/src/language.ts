/** Returns the nearest language around an element, as the page renders it: across slots and shadow hosts. */
export function findLanguage(element: HTMLElement): string | null {
  let node: HTMLElement | null = element
  while (node && !node.lang)
    node = (node.assignedSlot ?? node.parentNode ?? (node as Node as ShadowRoot).host) as HTMLElement | null
  return node?.lang ?? null
}
