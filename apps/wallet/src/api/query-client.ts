import { QueryClient } from '@tanstack/react-query';

/** The cache of what the server said. One for the app; emptied when a session ends. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The client repeats by the specification's rules already.
      retry: false,
      // A lost connection is told by a failed fetch, which must therefore be tried.
      networkMode: 'always',
      staleTime: 5000,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
