import { Breadcrumbs } from "../components/breadcrumbs";
import { PageHead } from "../components/page-head";
import { Pagination } from "../components/pagination";
import { ProductGrid } from "../components/product-grid";
import type { PageOf } from "../lib/page";
import { count } from "../lib/text";
import { categoryUrl, SIZES, SORTS } from "../lib/urls";
import { Button } from "../ui/button";
import { Select } from "../ui/select";
import styles from "./category.module.css";

const SIZE_OPTIONS = SIZES.map((size) => ({ value: String(size), label: String(size) }));

export default function CategoryPage(page: PageOf<"category">) {
  const { shop, props } = page;
  const { category, products, total, pageNumber, pages, size, sort } = props;
  const others = shop.categories.filter((other) => other._id !== category._id);
  const here = categoryUrl(category._id);
  return (
    <div className="wrap">
      <PageHead
        page={page}
        title={`${category.name}${pageNumber > 1 ? `, page ${pageNumber}` : ""} · ${shop.name}`}
        description={`${category.name} at ${shop.name}: ${count(total, "product", "products")} to choose from.`}
        image={category.img}
      />
      <Breadcrumbs origin={page.origin} trail={[{ name: category.name, url: here }]} />
      <div className={styles.banner}>
        <p className={styles.label}>Shop Page</p>
        <h1>{category.name}</h1>
      </div>
      {total === 0 ? (
        <div className={styles.empty}>
          <h2>Nothing on this stall yet</h2>
          <p>New things arrive often. Meanwhile, have a look at the others:</p>
          <ul>
            {others.map((other) => (
              <li key={other._id}>
                <a href={categoryUrl(other._id)}>{other.name}</a>
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <>
          <div className={styles.tools}>
            <p>{count(total, "product", "products")}</p>
            {/* A new key with every list, so that Back also turns the choices back. */}
            <form key={page.url} className={styles.form} method="get" action={here} data-live>
              <Select label="Sort by" name="sort" defaultValue={sort} options={SORTS} />
              <Select label="Show" name="size" defaultValue={String(size)} options={SIZE_OPTIONS} />
              <span className="without-js">
                <Button type="submit" quiet>
                  Apply
                </Button>
              </span>
            </form>
          </div>
          <h2 className="visually-hidden">Products</h2>
          <ProductGrid products={products} leads />
          <Pagination
            current={pageNumber}
            pages={pages}
            urlOf={(number) => categoryUrl(category._id, { sort, size, page: number })}
          />
        </>
      )}
    </div>
  );
}
