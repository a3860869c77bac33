import { type ReactElement, useEffect, useRef } from 'react'
import { Linking, Modal, Platform } from 'react-native'
import { WebView } from 'react-native-webview'
import type { AppFlow } from './app-flow.js'

/** Shows a flow's page over the app. */
export function HostedPage({ flow }: { flow: AppFlow }): ReactElement {
  const view = useRef<WebView>(null)
  const canGoBack = useRef(false)
  useEffect(() => flow.start(), [flow])

  /** The back button of Android goes back in the page first, which asks before it discards what the person typed. */
  const leave = () => {
    if (Platform.OS === 'android' && canGoBack.current) view.current?.goBack()
    else flow.close()
  }
  // The page continues at the same step.
  const reload = () => view.current?.reload()

  return (
    <Modal animationType="slide" presentationStyle="pageSheet" onRequestClose={leave}>
      <WebView
        ref={view}
        source={{ uri: flow.link }}
        // The default opens the URLs of other origins in the browser, even the redirect at the end of the flow.
        originWhitelist={['*']}
        setSupportMultipleWindows={false}
        startInLoadingState
        thirdPartyCookiesEnabled={false}
        onMessage={({ nativeEvent: { url, data } }) => flow.receive(url, data)}
        onLoadEnd={() => flow.loaded()}
        onError={() => flow.failed()}
        onHttpError={() => flow.failed()}
        onContentProcessDidTerminate={reload}
        onRenderProcessGone={reload}
        onNavigationStateChange={state => {
          canGoBack.current = state.canGoBack
        }}
        onShouldStartLoadWithRequest={({ url }) => {
          const navigation = flow.navigate(url)
          if (navigation === 'outside') Linking.openURL(url).catch(() => undefined)
          return navigation === 'here'
        }}
      />
    </Modal>
  )
}
