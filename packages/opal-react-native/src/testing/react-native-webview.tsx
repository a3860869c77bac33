/** Stands in for the webview of React Native in a browser. Shows nothing, and gives its properties to the test. */
import { Component, type ReactNode } from 'react'
import type { WebViewProps } from 'react-native-webview'

export const webView: { props: WebViewProps | null; calls: string[] } = { props: null, calls: [] }

export class WebView extends Component<WebViewProps> {
  override componentDidMount(): void {
    webView.props = this.props
    webView.calls = []
  }

  override componentDidUpdate(): void {
    webView.props = this.props
  }

  override componentWillUnmount(): void {
    webView.props = null
  }

  goBack(): void {
    webView.calls.push('goBack')
  }

  reload(): void {
    webView.calls.push('reload')
  }

  override render(): ReactNode {
    return <p id="webview">{this.props.source.uri.split('#')[0]}</p>
  }
}
