// The tender form with the preview of a tender, which belongs to another feature.

import { PublishPage } from "@/features/publish/PublishPage.tsx";
import { TenderPreview } from "@/features/tenders/details/TenderPreview.tsx";

export function Component() {
  return <PublishPage renderPreview={(tender) => <TenderPreview tender={tender} />} />;
}
