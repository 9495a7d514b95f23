import { QueryClient } from '@tanstack/react-query';

/** The cache of server responses. Each app has one and empties it when a session ends. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The client already retries according to spec 7.
      retry: false,
      // Only a failed fetch shows that the network is lost, so no fetch is held back.
      networkMode: 'always',
      staleTime: 5000,
    },
  },
});
