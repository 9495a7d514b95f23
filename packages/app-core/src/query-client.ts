import { QueryClient } from '@tanstack/react-query';

/** The cache of the server's answers. One for an app; emptied when a session ends. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The client already retries as spec 7 says.
      retry: false,
      // Only a failed fetch tells that the network is lost, so every fetch is tried.
      networkMode: 'always',
      staleTime: 5000,
    },
  },
});
