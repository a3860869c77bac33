export function bundleFor(
  version: 18 | 19,
  name: 'scenes' | 'opal' | 'native' | 'react-module' | 'server',
): Promise<string>
