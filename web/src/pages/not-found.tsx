import * as m from "messages/layout";
import { ErrorState } from "../features/layout/error-state";
import { PageHead } from "../features/layout/page-head";
import type { PageOf } from "../lib/page";

export default function NotFound(page: PageOf<"not-found">) {
  return (
    <>
      <PageHead
        page={page}
        title={`${m.pageNotFound()} · ${page.shop.name}`}
        description={m.noPageHere()}
      />
      <ErrorState
        title={m.nothingHere()}
        message={page.shop.demo ? m.movedMarket() : m.movedShop()}
      />
    </>
  );
}
