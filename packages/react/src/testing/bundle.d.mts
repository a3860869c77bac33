export function bundleFor(version: number, name: 'scenes' | 'server'): Promise<string>
