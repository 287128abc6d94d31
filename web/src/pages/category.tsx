import * as m from "messages/search";
import { Breadcrumbs } from "../features/layout/breadcrumbs";
import { PageHead } from "../features/layout/page-head";
import { Banner } from "../features/search/banner";
import { Listing } from "../features/search/listing";
import { listingQuery, listingUrl } from "../features/search/listing-query";
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
  const title = isPlain ? category.name : m.titleWithCount({ title: category.name, count: total });
  return (
    <div className="wrap">
      <PageHead
        page={page}
        title={`${pageNumber > 1 ? m.titleWithPage({ title, page: pageNumber }) : title} · ${shop.name}`}
        description={m.categoryDescription({
          category: category.name,
          shop: shop.name,
          count: category.products,
        })}
        image={category.img}
        path={isPlain ? plain : here}
      />
      <Breadcrumbs origin={page.origin} trail={[{ name: category.name, url: here }]} />
      <Banner title={category.name} />
      <Listing page={page}>
        <div className={styles.empty}>
          <h2>{m.categoryEmpty()}</h2>
          <p>{m.otherCategories()}</p>
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
