/**
 * The parts of React Native and of its webview that this package uses. They are too large to install here:
 * `frameworks/native.test.mjs` compiles this package against their own types.
 */
declare module 'react-native' {
  import type { ComponentType, ReactNode } from 'react'

  export const Linking: { openURL(url: string): Promise<unknown> }
  export const Platform: { OS: string }
  export const Modal: ComponentType<{
    animationType?: 'slide'
    presentationStyle?: 'pageSheet'
    onRequestClose?: () => void
    children?: ReactNode
  }>
}

declare module 'react-native-webview' {
  import { Component } from 'react'

  interface Native<T> {
    nativeEvent: T
  }

  export interface WebViewProps {
    source: { uri: string }
    originWhitelist?: string[]
    setSupportMultipleWindows?: boolean
    startInLoadingState?: boolean
    thirdPartyCookiesEnabled?: boolean
    onMessage?: (event: Native<{ data: string; url: string }>) => void
    onLoadEnd?: () => void
    onError?: () => void
    onHttpError?: () => void
    onContentProcessDidTerminate?: () => void
    onRenderProcessGone?: () => void
    onNavigationStateChange?: (event: { canGoBack: boolean }) => void
    onShouldStartLoadWithRequest?: (request: { url: string }) => boolean
  }

  export class WebView extends Component<WebViewProps> {
    goBack(): void
    reload(): void
  }
}
