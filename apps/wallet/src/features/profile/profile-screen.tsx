import { m } from '@athos/messages/messages';
import { Screen } from '@athos/ui/layout/screen';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { SkeletonRows } from '@athos/ui/primitives/skeleton';
import { useQuery } from '@tanstack/react-query';
import { publicProfileQuery } from '../../api/public-profile.ts';
import { paths } from '../../routes/paths.ts';
import { HandleForm, NameForm } from './profile-forms.tsx';
import { PayLinks } from './pay-links.tsx';

const SKELETON_ROW_COUNT = 2;

/** How others see, find and pay the account. */
export function ProfileScreen() {
  const { data, isError, refetch } = useQuery(publicProfileQuery);
  return (
    <Screen title={m.profile_title()} backTo={paths.settings} width="form">
      {data !== undefined ? (
        <>
          <NameForm profile={data} />
          <HandleForm profile={data} />
        </>
      ) : isError ? (
        <FailureNotice text={m.profile_load_failed()} onTryAgain={() => void refetch()} />
      ) : (
        <SkeletonRows count={SKELETON_ROW_COUNT} />
      )}
      <PayLinks />
    </Screen>
  );
}
