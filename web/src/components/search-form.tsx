import Search from "lucide-react/icons/search";
import type { Ref } from "react";
import { useShop } from "../lib/shop";
import styles from "./search-form.module.css";

type Props = { open: boolean; onClose: () => void; field: Ref<HTMLInputElement> };

// A plain form: the search page reads it with or without JavaScript.
export function SearchForm({ open, onClose, field }: Props) {
  const { shop } = useShop();
  return (
    <search className={styles.place}>
      <form
        className={styles.search}
        method="get"
        action="/search"
        data-open={open}
        onSubmit={onClose}
        onKeyDown={(event) => event.key === "Escape" && onClose()}
      >
        <select
          className={styles.category}
          name="category"
          aria-label="Search in"
          autoComplete="off"
        >
          <option value="">All categories</option>
          {shop.categories.map((category) => (
            <option key={category._id} value={category._id}>
              {category.name}
            </option>
          ))}
        </select>
        <input
          ref={field}
          className={styles.field}
          type="search"
          name="q"
          aria-label="Search for"
          placeholder="Search the market"
          autoComplete="off"
          maxLength={100}
        />
        <button className={styles.button} type="submit" aria-label="Search">
          <Search size={20} strokeWidth={1.5} aria-hidden />
        </button>
      </form>
    </search>
  );
}
