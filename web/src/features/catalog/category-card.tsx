import * as common from "messages/common";
import type { Category } from "../../lib/api.gen";
import { fieldLang } from "../../lib/language";
import { categoryUrl } from "../../lib/urls";
import { Picture } from "../../ui/picture";
import styles from "./category-card.module.css";

export function CategoryCard({ category }: { category: Category }) {
  return (
    <li className={styles.card}>
      <a href={categoryUrl(category._id)}>
        <Picture
          picture={category.picture}
          name=""
          sizes="(min-width: 86rem) 302px, (min-width: 48rem) 22vw, 45vw"
          widest={640}
          loading="lazy"
        />
        <span className={styles.name} lang={fieldLang(category, "name")}>
          {category.name}
        </span>{" "}
        <span className={styles.count}>{common.productCount({ count: category.products })}</span>
      </a>
    </li>
  );
}
