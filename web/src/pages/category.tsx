import { Breadcrumbs } from "../features/layout/breadcrumbs";
import { PageHead } from "../features/layout/page-head";
import { Banner } from "../features/search/banner";
import { Listing } from "../features/search/listing";
import { listingQuery, listingUrl, productCount } from "../features/search/listing-query";
import type { PageOf } from "../lib/page";
import { categoryUrl } from "../lib/urls";
import styles from "./category.module.css";

export default function CategoryPage(page: PageOf<"category">) {
  const { shop, props } = page;
  const { category, total, pageNumber } = props;
  const others = shop.categories.filter((other) => other._id !== category._id);
  const here = categoryUrl(category._id);
  const plain = pageNumber === 1 ? here : `${here}?page=${pageNumber}`;
  // Filtered pages show the same products again, or fewer of them.
  const isPlain = listingUrl(listingQuery(page)) === plain;
  const part = `${isPlain ? "" : `: ${productCount(total)}`}${pageNumber > 1 ? `, page ${pageNumber}` : ""}`;
  return (
    <div className="wrap">
      <PageHead
        page={page}
        title={`${category.name}${part} · ${shop.name}`}
        description={`${category.name} at ${shop.name}: ${productCount(category.products)} to choose from.`}
        image={category.img}
        path={isPlain ? plain : here}
      />
      <Breadcrumbs origin={page.origin} trail={[{ name: category.name, url: here }]} />
      <Banner title={category.name} />
      <Listing page={page}>
        <div className={styles.empty}>
          <h2>Nothing here yet</h2>
          <p>New things arrive often. Meanwhile, have a look at the others:</p>
          <ul>
            {others.map((other) => (
              <li key={other._id}>
                <a href={categoryUrl(other._id)}>{other.name}</a>
              </li>
            ))}
          </ul>
        </div>
      </Listing>
    </div>
  );
}
