// The page with the form for a new tender or for one of the user's own tenders.

import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { RequestId } from "@/shared/page/RequestId.tsx";
import { paths } from "@/shared/paths.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { tenderDetails } from "@/shared/tender/tenderQueries.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { latestTender } from "./api.ts";
import { type RenderPreview, TenderEditor } from "./TenderEditor.tsx";

/** Loads the tender before the form appears, so that loading never overwrites input. */
function ExistingTender({
  user,
  id,
  renderPreview,
}: {
  user: User;
  id: string;
  renderPreview: RenderPreview;
}) {
  const { t } = useTranslation();
  const details = useQuery({ ...tenderDetails(id), staleTime: 0, refetchOnMount: "always" });
  if (details.error) {
    return (
      <Page className="py-8">
        <ErrorBanner
          title={t("publish.loadFailed")}
          action={
            <div className="flex gap-2">
              <ButtonLink to={paths.dashboard} variant="plain" size="small">
                {t("publish.back")}
              </ButtonLink>
              <Button variant="outlined" size="small" onClick={() => void details.refetch()}>
                {t("shell.tryAgain")}
              </Button>
            </div>
          }
        >
          <RequestId error={details.error} />
        </ErrorBanner>
      </Page>
    );
  }
  if (!details.data || !details.isFetchedAfterMount) return <LoadingScreen label={t("shell.loading")} />;
  return <TenderEditor key={id} user={user} tender={details.data} renderPreview={renderPreview} />;
}

/** Loads the latest tender before the form appears, because the form begins with its organisation. */
function NewTender({ user, renderPreview }: { user: User; renderPreview: RenderPreview }) {
  const { t } = useTranslation();
  const latest = useQuery(latestTender);
  if (!latest.isFetchedAfterMount) return <LoadingScreen label={t("shell.loading")} />;
  return (
    <TenderEditor user={user} tender={null} latest={latest.data ?? null} renderPreview={renderPreview} />
  );
}

export function PublishPage({ renderPreview }: { renderPreview: RenderPreview }) {
  const { t } = useTranslation();
  const { id } = useParams();
  const title = t(id ? "publish.editTitle" : "publish.title");
  return (
    <>
      <Metadata
        title={title}
        description={t("publish.description")}
        keywords={t("publish.keywords")}
        unlisted
      />
      <Protected only="supplier">
        {(user) =>
          id ? (
            <ExistingTender user={user} id={id} renderPreview={renderPreview} />
          ) : (
            <NewTender user={user} renderPreview={renderPreview} />
          )
        }
      </Protected>
    </>
  );
}
