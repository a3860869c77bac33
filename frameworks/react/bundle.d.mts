export function bundleFor(version: 18 | 19, name: 'scenes' | 'opal' | 'server'): Promise<string>
