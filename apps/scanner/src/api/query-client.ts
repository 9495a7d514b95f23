import { QueryClient } from '@tanstack/react-query';

/** The cache of what the server said. Emptied when a session ends. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // The client repeats by the specification's rules already, and a lost connection is told by a failed fetch.
    queries: { retry: false, networkMode: 'always', staleTime: 5000 },
  },
});
