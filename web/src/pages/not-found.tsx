import { PageHead } from "../components/page-head";
import { WayOut } from "../components/way-out";
import type { PageOf } from "../lib/page";

export default function NotFound(page: PageOf<"notFound">) {
  return (
    <>
      <PageHead
        page={page}
        title={`Page not found · ${page.shop.name}`}
        description="There is no page at this address."
      />
      <WayOut
        title="Nothing stands here"
        message={`The page may have moved, or the product is no longer sold. The ${page.shop.demo ? "market" : "shop"} is still open.`}
      />
    </>
  );
}
