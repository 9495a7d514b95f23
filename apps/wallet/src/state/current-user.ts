import { useUuidOf } from '@athos/app-core/current-user';
import { session } from './session.ts';

export const useUserUuid = (): string => useUuidOf(session);
