import { ErrorState } from "../features/layout/error-state";
import { PageHead } from "../features/layout/page-head";
import type { PageOf } from "../lib/page";

export default function NotFound(page: PageOf<"not-found">) {
  return (
    <>
      <PageHead
        page={page}
        title={`Page not found · ${page.shop.name}`}
        description="There is no page at this address."
      />
      <ErrorState
        title="Nothing stands here"
        message={`The page may have moved, or the product is no longer sold. The ${page.shop.demo ? "market" : "shop"} is still open.`}
      />
    </>
  );
}
