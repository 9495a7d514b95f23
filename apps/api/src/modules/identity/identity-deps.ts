import type { Contributions } from '../../capability.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { Db } from '../../platform/database/database.ts';
import type { EndpointDeps } from '../../platform/http/endpoint.ts';
import type { NativeAppSettings } from '../../platform/http/native-app.ts';
import type { Passwords } from '../../platform/keys/passwords.ts';
import type { SigningKeys } from '../../platform/keys/signing-keys.ts';
import type { SealedColumns } from '../../platform/sealed.ts';
import type { ReadLegalTexts } from '../legal/index.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { LimitDeps } from './sign-in/sign-in-limits.ts';

/** The dependencies of identity's routes. */
export interface AuthDeps extends EndpointDeps, LimitDeps, Pick<Contributions, 'deletionGuards'> {
  readonly config: LimitDeps['config'] & {
    readonly publicUrl: string;
    readonly nativeApp: NativeAppSettings;
  };
  readonly sessions: Sessions;
  readonly db: Db;
  readonly ledger: Ledger;
  readonly passwords: Passwords;
  readonly keys: SigningKeys;
  /** The keys of QR codes. They include the token keys for verification, because those sign codes if codes have no keys of their own. */
  readonly qrKeys: SigningKeys;
  readonly sealed: SealedColumns;
  readonly legalTexts: ReadLegalTexts;
}
