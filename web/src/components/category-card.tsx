import type { Category } from "../lib/api.gen";
import { count } from "../lib/text";
import { categoryUrl } from "../lib/urls";
import { Photo } from "../ui/photo";
import styles from "./category-card.module.css";

export function CategoryCard({ category }: { category: Category }) {
  return (
    <li className={styles.card}>
      <a href={categoryUrl(category._id)}>
        <Photo src={category.img} alt="" loading="lazy" />
        <span className={styles.name}>{category.name}</span>{" "}
        <span className={styles.count}>{count(category.products, "product", "products")}</span>
      </a>
    </li>
  );
}
